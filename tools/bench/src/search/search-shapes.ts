import { type AssetQuery, type Criterion, reads, type ReadView } from "@lamplight/core";
import { busyCollection, busyCreator, busyWallet, middleWallet } from "./sample-assets.ts";

const compressed: Criterion = { kind: "compressed", value: true };
const notBurnt: Criterion = { kind: "burnt", value: false };

interface Shape {
  readonly name: string;
  readonly query: AssetQuery;
  /** Totals of broad shapes are what a database is slow at. */
  readonly broad?: boolean;
}

const query = (criteria: readonly Criterion[], more: Partial<AssetQuery> = {}): AssetQuery => ({
  criteria,
  match: "all",
  negate: false,
  sort: "id",
  direction: "desc",
  start: { kind: "page", page: 1 },
  limit: 100,
  ...more,
});

const owner = (address: Uint8Array): Criterion => ({
  kind: "owner",
  owner: address,
  ownerModel: null,
  includeZero: false,
});

/** Queries of the search benches. */
export const searchShapes = (cursor: string): readonly Shape[] => [
  { name: "owner", query: query([owner(middleWallet())]) },
  { name: "busy owner", query: query([owner(busyWallet())]) },
  { name: "broad: compressed", query: query([compressed]), broad: true },
  {
    name: "intersection",
    query: query([compressed, notBurnt, { kind: "creator", creator: busyCreator(), verified: true }]),
  },
  {
    name: "any",
    query: query(
      [compressed, { kind: "group", key: "collection", value: busyCollection(), includeUnverified: false }],
      { match: "any" },
    ),
    broad: true,
  },
  { name: "negate", query: query([compressed, notBurnt], { negate: true }), broad: true },
  {
    name: "deep page 500 × 1000, by created",
    query: query([notBurnt], { sort: "created", start: { kind: "page", page: 500 }, limit: 1000 }),
  },
  {
    name: "deep page 500 × 1000, by id",
    query: query([notBurnt], { start: { kind: "page", page: 500 }, limit: 1000 }),
  },
  {
    name: "cursor at depth, by updated",
    query: query([compressed, notBurnt], { sort: "updated", start: { kind: "cursor", cursor } }),
  },
];

/** The cursor half-way through the matches of a walk. */
export const cursorAtHalf = async (view: ReadView): Promise<string> => {
  const walk = query([compressed, notBurnt], { sort: "updated" });
  const { total } = await view.read(reads.search(walk));
  const page = Math.max(1, Math.floor(total / 2 / walk.limit));
  const { cursor } = await view.read(reads.search({ ...walk, start: { kind: "page", page } }));
  return cursor!;
};
