import { tokenAccountLayout } from "@lamplight/codecs";
import type { Account } from "./account.ts";

/** A token account without its extensions: anyone may make one of 10 MiB, and lists have many. */
export interface BaseTokenAccount extends Pick<Account, "address" | "programOwner" | "slot"> {
  /** The 165 bytes that accounts of both token programs have. */
  readonly data: Uint8Array;
}

/** The part of a token account that lists read. */
export const baseTokenAccount = ({ address, programOwner, slot, data }: Account): BaseTokenAccount => ({
  address,
  programOwner,
  slot,
  data: data.slice(0, tokenAccountLayout.bytes),
});
