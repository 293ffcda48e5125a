import { createPrivateKey, createPublicKey, hash } from "node:crypto";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Draft } from "../draft.ts";

/** A key pair of a test. It follows from seed and name, so that every run has the same. */
export interface Wallet {
  readonly name: string;
  /** Base58 text. */
  readonly address: string;
  readonly publicKey: Uint8Array;
  /** 64 bytes, as Solana's key files have them: the private key, then the public one. */
  readonly secretKey: Uint8Array;
}

/** The bytes before the 32 bytes of an ed25519 key in PKCS #8. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");
const KEY_BYTES = 32;
const WALLET_LAMPORTS = 10_000_000_000n;

export const walletOf = (seed: number, name: string): Wallet => {
  const privateKey = hash("sha256", `wallet ${seed} ${name}`, "buffer");
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, privateKey]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  const publicKey = Uint8Array.from(spki.subarray(-KEY_BYTES));
  return {
    name,
    address: encodeAddress(publicKey),
    publicKey,
    secretKey: Uint8Array.from([...privateKey, ...publicKey]),
  };
};

/** The system account of a wallet, with 10 SOL. */
export const accountOf = ({ publicKey }: Wallet): Draft => ({
  address: publicKey,
  programOwner: programAddresses.system,
  lamports: WALLET_LAMPORTS,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(0),
});
