/** The addresses to clone from another chain, as base58 text. */
export interface CloneRequest {
  /** Single accounts; an asset comes with the accounts that describe it. */
  readonly addresses: readonly string[];
  /** Collections with all their assets. */
  readonly collections: readonly string[];
  /** Wallets with what they hold. */
  readonly owners: readonly string[];
}

/** The option that asked for an account. */
export type CloneKind = "address" | "collection" | "owner";

const membersOf = { address: "addresses", collection: "collections", owner: "owners" } as const;

export const cloneKinds = Object.keys(membersOf) as CloneKind[];

export const namedAs = (request: CloneRequest, kind: CloneKind): readonly string[] =>
  request[membersOf[kind]];

export const isEmptyRequest = (request: CloneRequest): boolean =>
  cloneKinds.every((kind) => namedAs(request, kind).length === 0);

/** The part of a request that is not there yet. */
export const missingFrom = (
  request: CloneRequest,
  has: (address: string, kind: CloneKind) => boolean,
): CloneRequest => {
  const lacking = (kind: CloneKind): readonly string[] =>
    namedAs(request, kind).filter((address) => !has(address, kind));
  return {
    addresses: lacking("address"),
    collections: lacking("collection"),
    owners: lacking("owner"),
  };
};
