import { decodeWireTransaction, encodeAddress, encodeBase58, type WireTransaction } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import type { AddressLike } from "@lamplight/devchain";

/** The methods of a LiteSVM instance that a chain needs: its Kit form (1.x) or its web3.js form (0.x). */
export interface LiteSvmLike {
  sendTransaction(transaction: never): unknown;
  simulateTransaction(transaction: never): unknown;
  getTransaction(signature: never): unknown;
  getAccount(address: never): unknown;
  airdrop(address: never, lamports: never): unknown;
  minimumBalanceForRentExemption(dataLength: bigint): bigint;
  latestBlockhash(): string;
  expireBlockhash(): void;
  withBlockhashCheck(check: boolean): unknown;
  withSigverify(check: boolean): unknown;
}

/** An account in the form of Kit, or of web3.js. */
export interface SvmAccount {
  readonly exists?: boolean;
  readonly programAddress?: AddressLike;
  readonly owner?: AddressLike;
  readonly lamports: bigint | number;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

export interface SvmMetadata {
  signature(): Uint8Array;
  logs(): readonly string[];
  innerInstructions(): readonly (readonly SvmInner[])[];
  computeUnitsConsumed(): bigint;
  returnData(): { programId(): Uint8Array; data(): Uint8Array };
}

interface SvmInner {
  instruction(): { programIdIndex(): number; accounts(): Uint8Array; data(): Uint8Array };
  stackHeight(): number;
}

export interface SvmFailure {
  err(): unknown;
  meta(): SvmMetadata;
  /** The text has Rust's debug form. It begins with the error, by the names that Agave uses. */
  toString(): string;
}

/** A transaction of Kit, or one of web3.js. */
export type SvmTransaction =
  | { readonly messageBytes: Uint8Array; readonly signatures: object }
  | { serialize(options?: object): Uint8Array };

export const isFailed = (outcome: unknown): outcome is SvmFailure =>
  typeof outcome === "object" && outcome !== null && "err" in outcome;

const SIGNATURE_BYTES = 64;

/** A transaction in wire format, with its parts. */
export interface Wire extends WireTransaction {
  readonly bytes: Uint8Array;
  readonly message: Uint8Array;
}

/** @throws LamplightError `CODEC__MALFORMED` */
export const readWire = (bytes: Uint8Array): Wire => {
  const decoded = decodeWireTransaction(bytes);
  // The number of signatures is one byte, because there are fewer than 128.
  return { ...decoded, bytes, message: bytes.subarray(1 + decoded.signatures.length * SIGNATURE_BYTES) };
};

/** A message with signatures of zeros. */
export const unsignedWire = (message: Uint8Array, signatures: number): Uint8Array =>
  Buffer.concat([Buffer.from([signatures]), Buffer.alloc(signatures * SIGNATURE_BYTES), message]);

/** The transaction in wire format. Signatures of Kit's form are zeros, because only the message is read. */
export const wireBytes = (transaction: SvmTransaction): Uint8Array =>
  "messageBytes" in transaction
    ? unsignedWire(transaction.messageBytes, Object.keys(transaction.signatures).length)
    : transaction.serialize({ requireAllSignatures: false, verifySignatures: false });

/** A transaction in both forms at once: LiteSVM 1.x reads the members, LiteSVM 0.x calls `serialize`. */
export const transactionOf = ({ bytes, message, signatures, staticKeys }: Wire): never =>
  ({
    messageBytes: message,
    signatures: Object.fromEntries(
      signatures.map((signature, index) => [encodeAddress(staticKeys[index]!), signature]),
    ),
    serialize: () => bytes,
  }) as never;

/** LiteSVM 1.x takes an address as text. LiteSVM 0.x takes a `PublicKey`, and calls only its `toBytes`. */
export const byAddress = <Result>(address: AddressBytes, call: (key: never) => unknown): Result => {
  try {
    return call(encodeAddress(address) as never) as Result;
  } catch {
    return call({ toBytes: () => address } as never) as Result;
  }
};

/** Whether a transaction got into a block: only then it is in the history. LiteSVM 0.x takes the signature's bytes. */
export const isIncluded = (svm: LiteSvmLike, signature: Uint8Array): boolean => {
  try {
    return svm.getTransaction(encodeBase58(signature) as never) !== null;
  } catch {
    return svm.getTransaction(signature as never) !== null;
  }
};
