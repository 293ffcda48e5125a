import { hash } from "node:crypto";
import { encodeAddress } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import { parseAccountDump } from "../dumps/parse-account-dump.ts";
import { RpcTrouble } from "./rpc-fault.ts";

/** An account as a node answers it in base64; u64 members may be decimal text. */
export interface AccountRow {
  /** Base58 text. */
  readonly pubkey: string;
  readonly account: {
    readonly lamports: number | string;
    readonly owner: string;
    readonly data: readonly [text: string, encoding: "base64"];
    readonly executable: boolean;
    readonly rentEpoch: number | string;
  };
}

/** @throws RpcTrouble when it is no account in base64 */
export const parseRow = (pubkey: unknown, account: unknown): AccountRow => {
  const row = account as AccountRow["account"] | null;
  if (typeof pubkey === "string" && typeof row === "object" && row !== null && row.data?.[1] === "base64") {
    return { pubkey, account: row };
  }
  throw new RpcTrouble("an account was not answered in base64");
};

export const isClosedRow = ({ account }: AccountRow): boolean => Number(account.lamports) === 0;

/** @throws DumpFault when a member is broken */
export const accountOfRow = (row: AccountRow, slot: Slot): Account => parseAccountDump(row, slot);

/** A fingerprint of an account's content: equal for equal contents at any slot. */
export const digestOfRow = ({ account }: AccountRow): string =>
  digest(account.owner, account.lamports, account.executable, account.rentEpoch, account.data[0]);

export const digestOfAccount = ({ programOwner, lamports, executable, rentEpoch, data }: Account): string =>
  digest(
    encodeAddress(programOwner),
    lamports,
    executable,
    rentEpoch,
    Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"),
  );

/** Characters of its hash: 96 bits exclude an accidental collision. */
const DIGEST_CHARACTERS = 16;

const digest = (
  owner: string,
  lamports: bigint | number | string,
  executable: boolean,
  rentEpoch: bigint | number | string,
  data: string,
): string =>
  hash("sha256", `${owner} ${lamports} ${executable} ${rentEpoch} ${data}`, "base64").slice(
    0,
    DIGEST_CHARACTERS,
  );
