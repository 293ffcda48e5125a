import type { Slot } from "@lamplight/core";
import { RpcTrouble } from "../rpc/rpc-fault.ts";

/** The fields of a block that name the accounts it may have written. */
export interface TouchedBlock {
  readonly slot: Slot;
  readonly parent: Slot;
  readonly blockhash: string;
  readonly parentBlockhash: string;
  /** Base58 text. May contain duplicates, and accounts that were not written. */
  readonly addresses: readonly string[];
}

interface BlockAnswer {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: Slot;
  readonly transactions: readonly {
    readonly transaction: {
      readonly message: {
        readonly accountKeys: readonly string[];
        readonly header: {
          readonly numRequiredSignatures: number;
          readonly numReadonlySignedAccounts: number;
          readonly numReadonlyUnsignedAccounts: number;
        };
      };
    };
    readonly meta: { readonly loadedAddresses?: { readonly writable: readonly string[] } };
  }[];
  readonly rewards?: readonly { readonly pubkey: string }[];
}

/**
 * The accounts that a block (getBlock, encoding `json`, full, with rewards) may have written: the writable ones of
 * its transactions, failed ones too, and those that were rewarded.
 *
 * @throws RpcTrouble for any other answer
 */
export const readTouched = (slot: Slot, answer: unknown): TouchedBlock => {
  try {
    const block = answer as BlockAnswer;
    const addresses = block.transactions.flatMap(({ transaction, meta }) => [
      ...writableKeys(transaction.message),
      ...(meta.loadedAddresses?.writable ?? []),
    ]);
    addresses.push(...(block.rewards ?? []).map(({ pubkey }) => pubkey));
    const { parentSlot: parent, blockhash, previousBlockhash: parentBlockhash } = block;
    if ([...addresses, blockhash, parentBlockhash].some((text) => typeof text !== "string"))
      throw new TypeError("an address is no text");
    return { slot, parent, blockhash, parentBlockhash, addresses };
  } catch (cause) {
    throw new RpcTrouble(`getBlock of slot ${slot} was answered in another form`, { cause });
  }
};

/** Signers first, with the read-only ones last; then the others in the same order. */
const writableKeys = ({
  accountKeys,
  header,
}: BlockAnswer["transactions"][number]["transaction"]["message"]): readonly string[] => {
  const { numRequiredSignatures: signers } = header;
  const writableSigners = signers - header.numReadonlySignedAccounts;
  const writableEnd = accountKeys.length - header.numReadonlyUnsignedAccounts;
  return accountKeys.filter(
    (_, index) => index < writableSigners || (index >= signers && index < writableEnd),
  );
};
