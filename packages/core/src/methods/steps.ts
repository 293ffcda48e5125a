import type { AddressBytes } from "../domain/address.ts";
import type { Ordinal } from "../domain/asset.ts";
import type { AssetQuery } from "../domain/search.ts";
import type { DelegateQuery, HoldingQuery, LargestQuery } from "../ports/account-reader.ts";
import type { EditionStart } from "../ports/asset-reader.ts";
import type { AnswerTo, Read, ReadKind, ReadOf } from "../ports/reads.ts";

/** What a method yields: a read, several in one round, or something that is not for the store. */
export type Step = Read | ReadAll | Open | Pause | Slice | Rows | Compress;

interface ReadAll {
  readonly kind: "all";
  readonly reads: readonly Read[];
}

/** Nothing is read yet, but the members of `Call` that belong to a slot are known from then on. */
interface Open {
  readonly kind: "open";
}

/** Other calls may run before this one goes on. */
interface Pause {
  readonly kind: "pause";
}

/** Parts of the answer are finished. Other calls may run. */
interface Slice {
  readonly kind: "slice";
  /** Bytes of each part. */
  readonly sizes: readonly number[];
}

/** Bytes were read that are not all part of the answer. */
interface Rows {
  readonly kind: "rows";
  readonly bytes: number;
}

/** Work of other threads: zstd frames of these data. */
interface Compress {
  readonly kind: "compress";
  readonly data: readonly Uint8Array[];
}

/** A method, or a part of one, while it runs: it yields what it needs, and then ends with its result. */
export type Steps<Result> = Generator<Step, Result, unknown>;

/** Yielded as it is: `yield pause`. It can be yielded for each item of a list. */
export const pause: Pause = { kind: "pause" };

/** Yielded as it is, where something is decided before the first read. */
export const open: Open = { kind: "open" };

function* one<Kind extends ReadKind>(asked: ReadOf<Kind>): Steps<AnswerTo<Kind>> {
  return (yield asked as Read) as AnswerTo<Kind>;
}

/** Reads by kind: `const account = yield* read.account(address)`. What the store throws ends the call: a method has nothing to catch. */
export const read = {
  account: (address: AddressBytes) => one<"account">({ kind: "account", address }),
  accountWithMint: (address: AddressBytes) => one<"accountWithMint">({ kind: "accountWithMint", address }),
  accounts: (addresses: readonly AddressBytes[]) => one<"accounts">({ kind: "accounts", addresses }),
  isClosed: (address: AddressBytes) => one<"isClosed">({ kind: "isClosed", address }),
  delegated: (asked: Omit<ReadOf<"delegated">, "kind">) => one<"delegated">({ kind: "delegated", ...asked }),
  moreDelegated: (query: DelegateQuery) => one<"moreDelegated">({ kind: "moreDelegated", query }),
  holdings: (query: HoldingQuery) => one<"holdings">({ kind: "holdings", query }),
  largest: (query: LargestQuery) => one<"largest">({ kind: "largest", query }),
  asset: (id: AddressBytes) => one<"asset">({ kind: "asset", id }),
  ownAsset: (id: AddressBytes) => one<"ownAsset">({ kind: "ownAsset", id }),
  ownAssets: (ordinals: readonly Ordinal[], bytesMax?: number) =>
    one<"ownAssets">({ kind: "ownAssets", ordinals, ...(bytesMax === undefined ? {} : { bytesMax }) }),
  contents: (uris: readonly string[], bytesMax?: number) =>
    one<"contents">({ kind: "contents", uris, ...(bytesMax === undefined ? {} : { bytesMax }) }),
  packedAssets: (ordinals: readonly Ordinal[], bytesMax: number) =>
    one<"packedAssets">({ kind: "packedAssets", ordinals, bytesMax }),
  packedContents: (uris: readonly string[], bytesMax: number) =>
    one<"packedContents">({ kind: "packedContents", uris, bytesMax }),
  itemCache: (ordinals: readonly Ordinal[]) => one<"itemCache">({ kind: "itemCache", ordinals }),
  masterEdition: (mint: AddressBytes) => one<"masterEdition">({ kind: "masterEdition", mint }),
  edition: (mintOrAddress: AddressBytes) => one<"edition">({ kind: "edition", mintOrAddress }),
  editions: (parent: AddressBytes, start: EditionStart, limit: number) =>
    one<"editions">({ kind: "editions", parent, start, limit }),
  editionCount: (parent: AddressBytes) => one<"editionCount">({ kind: "editionCount", parent }),
  search: (query: AssetQuery) => one<"search">({ kind: "search", query }),
} as const;

/** Several reads of one kind in one round, answered in their order. */
export function* readAll<Kind extends ReadKind>(
  reads: readonly ReadOf<Kind>[],
): Steps<readonly AnswerTo<Kind>[]> {
  if (reads.length === 0) return [];
  return (yield { kind: "all", reads: reads as readonly Read[] }) as readonly AnswerTo<Kind>[];
}

/** Hands over finished parts of the answer, by their bytes. */
export const slice = (sizes: readonly number[]): Slice => ({ kind: "slice", sizes });

/** Reports bytes that were read but are not all answered. */
export const rows = (bytes: number): Rows => ({ kind: "rows", bytes });

/** Base64 of the zstd frame of each, byte for byte as Agave answers it. */
export function* compress(data: readonly Uint8Array[]): Steps<readonly string[]> {
  return (yield { kind: "compress", data }) as readonly string[];
}
