import { encodeAddress } from "@lamplight/codecs";
import {
  type AssetPage,
  type AssetQuery,
  type Criterion,
  joinStored,
  type ReadView,
  reads,
} from "@lamplight/core";
import { AUTHORITIES, authorityOf, BASIS_POINTS, basisPointsOf, collectionAddress } from "./core-accounts.ts";

const PAGE = 1000;

/** The part of a document with facts that a member may take from its collection. */
interface Shown {
  readonly authorities: readonly { readonly address: string }[];
  readonly royalty: { readonly basis_points: number };
}

export interface Compared {
  /** Searches whose total, or whose page, is not what the documents show. */
  readonly differing: number;
  readonly documents: number;
  /** Milliseconds of each search. */
  readonly searchMs: readonly number[];
}

/**
 * Compares searches by inherited facts with a filter over documents.
 *
 * @param documentsMax - with fewer than there are members, the first ones are compared, and no totals
 */
export const compareMembers = async (view: ReadView, documentsMax: number): Promise<Compared> => {
  const { members, isAll } = await readMembers(view, documentsMax);
  const known = new Set(members.map(({ ordinal }) => ordinal));
  const searchMs: number[] = [];
  let differing = 0;
  for (const { criterion, isMet } of searches()) {
    const expected = members.filter(({ shown }) => isMet(shown)).map(({ ordinal }) => ordinal);
    const startMs = performance.now();
    const { ordinals, total } = await view.read(reads.search(queryOf([ofCollection, criterion])));
    searchMs.push(performance.now() - startMs);
    const found = ordinals.filter((ordinal) => known.has(ordinal));
    const isSame = found.join() === expected.slice(0, PAGE).join() && (!isAll || total === expected.length);
    if (!isSame) differing += 1;
  }
  return { differing, documents: members.length, searchMs };
};

const ofCollection: Criterion = {
  kind: "group",
  key: "collection",
  value: encodeAddress(collectionAddress),
  includeUnverified: false,
};

interface Search {
  readonly criterion: Criterion;
  readonly isMet: (shown: Shown) => boolean;
}

const searches = (): readonly Search[] => [
  ...Array.from({ length: AUTHORITIES }, (_, which): Search => {
    const authority = authorityOf(which);
    const address = encodeAddress(authority);
    return {
      criterion: { kind: "authority", value: authority },
      isMet: ({ authorities }) => authorities[0]?.address === address,
    };
  }),
  ...Array.from({ length: BASIS_POINTS }, (_, which): Search => {
    const basisPoints = basisPointsOf(which);
    return {
      criterion: { kind: "basisPoints", value: basisPoints },
      isMet: ({ royalty }) => royalty.basis_points === basisPoints,
    };
  }),
];

interface Member {
  readonly ordinal: number;
  readonly shown: Shown;
}

/** Members in the order of their ids, as `getAsset` shows them. */
const readMembers = async (
  view: ReadView,
  documentsMax: number,
): Promise<{ readonly members: readonly Member[]; readonly isAll: boolean }> => {
  const members: Member[] = [];
  let start: AssetQuery["start"] | null = { kind: "page", page: 1 };
  while (start !== null && members.length < documentsMax) {
    const page: AssetPage = await view.read(reads.search({ ...queryOf([ofCollection]), start }));
    const stored = await view.read(reads.ownAssets(page.ordinals));
    for (const [index, asset] of stored.entries()) {
      const { document } = await joinStored(view, asset!);
      const { authorities, royalty } = JSON.parse(document) as Shown;
      members.push({ ordinal: page.ordinals[index]!, shown: { authorities, royalty } });
    }
    start = page.cursor === null ? null : { kind: "cursor", cursor: page.cursor };
  }
  return { members, isAll: start === null };
};

const queryOf = (criteria: readonly Criterion[]): AssetQuery => ({
  criteria,
  match: "all",
  negate: false,
  sort: "id",
  direction: "desc",
  start: { kind: "page", page: 1 },
  limit: PAGE,
});
