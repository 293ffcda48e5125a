import type { Account } from "@lamplight/core";

export type RowFilter =
  | { readonly dataSize: number }
  | { readonly memcmp: { readonly offset: 0; readonly bytes: string; readonly encoding: "base58" } };

/** The accounts of one getProgramAccounts call. */
export interface ScanRegion {
  /** Name for messages. */
  readonly name: string;
  /** Base58 text. */
  readonly program: string;
  readonly filters: readonly RowFilter[];
  readonly covers: (account: Account) => boolean;
}
