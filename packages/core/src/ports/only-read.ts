import type { AddressBytes } from "../domain/address.ts";

/** Everything that a call reads as far as it knows beforehand: a store may answer it with one statement. */
export type OnlyRead = (
  | {
      readonly kind: "account";
      readonly address: AddressBytes;
      /** Also the mint that a token account names in its first bytes, where there is one. */
      readonly withMint: boolean;
    }
  | { readonly kind: "asset"; readonly id: AddressBytes }
  | {
      /** The first page of `listAccountsByDelegate`, if there is no other. */
      readonly kind: "delegated";
      readonly delegate: AddressBytes;
      /** A mint is read too, and its owner is the token program. */
      readonly by: { readonly kind: "programId" | "mint"; readonly address: AddressBytes };
      readonly limit: number;
      /** Also the mints of the accounts. */
      readonly withMints: boolean;
    }
) & {
  /** Set by the store while it reads, for a caller that is gone; absent where nothing takes long enough to be stopped. */
  stop?: (() => void) | null;
};

/**
 * What a view throws that holds the answer to one `OnlyRead` and is asked for anything else. It has no state of the
 * store to go on reading in: the caller starts again, on a view that can read everything.
 */
export class MoreReads extends Error {
  constructor() {
    super("the view holds only what was named beforehand");
    this.name = "MoreReads";
  }
}
