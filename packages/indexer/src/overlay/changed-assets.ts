import {
  type AddressBytes,
  AddressSet,
  type AssetFacts,
  type AssetQuery,
  type Criterion,
  type NumberedFacts,
  type TermReader,
  matchesCriterion,
  reads,
  type ReadView,
  inheritedForm,
  meetsByInheritance,
  type SharedRecord,
  sharingInterface,
  needsHoldings,
  type OwnerCriterion,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import { factsOf } from "../engine/packed-asset.ts";
import type { PathAssets } from "./finalized-facts.ts";
import type { Path } from "../engine/delta.ts";
import { holdingsAfter, touchedHolders } from "./overlay-accounts.ts";

/** An asset whose position in an answer may differ from that in the finalized store. */
export interface ChangedAsset {
  /** Its facts in the finalized store; null = not there. */
  readonly before: NumberedFacts | null;
  /** Its facts at the end of the path; null = not there. */
  readonly after: NumberedFacts | null;
  /** Whether its finalized state matches the query. */
  readonly matched: boolean;
  readonly matches: boolean;
}

type Sides = Pick<ChangedAsset, "before" | "after">;

/** Mints that an owner holds, by key, before the path and at its end. */
interface Holdings {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** Every asset that the path changes. If a query names a holder, also every mint whose holding changes. */
export const readChangedAssets = async (
  query: AssetQuery,
  path: Path,
  assets: PathAssets,
  finalized: Pick<ReadView, "terms" | "read">,
): Promise<readonly ChangedAsset[]> => {
  const { terms } = finalized;
  const changed: Sides[] = [...assets.byId.values()]
    .map(({ asset, before, ordinal }) => ({
      before,
      after: asset === null || ordinal === null ? null : { ...factsOf(asset), ordinal },
    }))
    // Created and removed above the finalized slot.
    .filter(({ before, after }) => before !== null || after !== null);
  const owners = query.criteria.filter(needsHoldings);
  const holdings = new Map<OwnerCriterion, Holdings>();
  for (const criterion of owners) {
    const mints = touchedMints(criterion.owner, path);
    changed.push(...(await readUnchangedMints(mints, assets, terms)));
    holdings.set(
      criterion,
      await readHoldings(criterion, [...mints, ...tokenMints(changed)], path, finalized),
    );
  }
  const once = new Map(changed.map((sides) => [addressKey((sides.after ?? sides.before)!.id), sides]));
  const collections = await readCollections(changed, assets, terms);
  const meets = (facts: AssetFacts | null, side: keyof Holdings): boolean =>
    facts !== null &&
    matchesQuery(query, facts, collections, (criterion) => holdings.get(criterion)?.[side] ?? new Set());
  return [...once.values()].map(({ before, after }) => ({
    before,
    after,
    matched: meets(before, "before"),
    matches: meets(after, "after"),
  }));
};

type Collections = ReadonlyMap<string, AssetFacts | null>;

/** The changed collections that changed assets inherit from. The query uses the same ones. */
const readCollections = async (
  changed: readonly Sides[],
  assets: PathAssets,
  terms: TermReader,
): Promise<Collections> => {
  const from = new AddressSet();
  for (const { before, after } of changed)
    for (const facts of [before, after])
      if (facts !== null && facts.inherits !== null) from.add(facts.inherits.from);
  const collections = new Map<string, AssetFacts | null>();
  const stored: AddressBytes[] = [];
  for (const id of from.addresses()) {
    const changedOne = assets.byId.get(addressKey(id));
    if (changedOne === undefined) stored.push(id);
    else collections.set(addressKey(id), changedOne.asset);
  }
  const facts = stored.length === 0 ? [] : await terms.readFacts(stored);
  for (const [index, id] of stored.entries()) collections.set(addressKey(id), facts[index] ?? null);
  return collections;
};

/** Collections that a path changes. The rows of their members do not change. */
export const sharedRecords = (assets: PathAssets): readonly SharedRecord[] =>
  [...assets.byId.values()]
    .filter(({ asset, before }) => [asset, before].some((facts) => facts?.interface === sharingInterface))
    .map(({ id, asset }) => ({ id, facts: asset && factsOf(asset) }));

const matchesQuery = (
  query: AssetQuery,
  facts: AssetFacts,
  collections: Collections,
  heldBy: (criterion: OwnerCriterion) => ReadonlySet<string>,
): boolean => {
  const meets = (criterion: Criterion): boolean => {
    const form = inheritedForm(criterion);
    if (form !== null) {
      const from = facts.inherits?.from;
      const collection = from === undefined ? null : (collections.get(addressKey(from)) ?? null);
      const met = matchesCriterion(form.own, facts) || meetsByInheritance(form, facts, collection);
      return met !== form.negate;
    }
    if (criterion.kind !== "owner") return matchesCriterion(criterion, facts);
    const isOwner = criterion.ownerModel !== "token" && matchesCriterion(criterion, facts);
    return isOwner || isHeld(facts, heldBy(criterion));
  };
  const { criteria, match, negate } = query;
  const group = criteria.length === 0 || (match === "all" ? criteria.every(meets) : criteria.some(meets));
  return group !== negate;
};

const isHeld = ({ ownerModel, supplyMint }: AssetFacts, held: ReadonlySet<string>): boolean =>
  ownerModel === "token" && supplyMint !== null && held.has(addressKey(supplyMint));

/** Mints for which the owner's holding started, changed or ended on the path. */
const touchedMints = (owner: AddressBytes, path: Path): AddressBytes[] => {
  const key = addressKey(owner);
  const mints = new Map<string, AddressBytes>();
  for (const changes of path) {
    for (const { mint } of changes.holdings.get(key)?.values() ?? []) mints.set(addressKey(mint), mint);
  }
  return [...mints.values()];
};

/** Assets of mints that the path does not change itself. */
const readUnchangedMints = async (
  mints: readonly AddressBytes[],
  assets: PathAssets,
  terms: TermReader,
): Promise<Sides[]> => {
  const facts = await terms.readFacts(mints.filter((mint) => !assets.byId.has(addressKey(mint))));
  return facts.flatMap((one) => (one === null ? [] : { before: one, after: one }));
};

const tokenMints = (changed: readonly Sides[]): AddressBytes[] =>
  changed.flatMap(({ before, after }) =>
    [before, after].flatMap((facts) => (facts?.ownerModel === "token" ? (facts.supplyMint ?? []) : [])),
  );

const readHoldings = async (
  { owner, includeZero }: OwnerCriterion,
  mints: readonly AddressBytes[],
  path: Path,
  finalized: Pick<ReadView, "read">,
): Promise<Holdings> => {
  const once = [...new Map(mints.map((mint) => [addressKey(mint), mint])).values()];
  const stored = await finalized.read(reads.holdings({ tokenOwner: owner, mints: once }));
  const now = holdingsAfter(stored, owner, touchedHolders(owner, path), path);
  const mintsOf = (list: typeof stored): ReadonlySet<string> =>
    new Set(list.filter(({ positive }) => positive || includeZero).map(({ mint }) => addressKey(mint)));
  return { before: mintsOf(stored), after: mintsOf(now) };
};
