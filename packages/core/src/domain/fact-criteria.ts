import { encodeAddress } from "@lamplight/codecs";
import { type AssetFacts, assetInterfaces, inheritable, ownerModels, royaltyModels } from "./asset.ts";
import type { FilteredCoverage } from "./coverage.ts";

type FactValue<Fact extends keyof AssetFacts> = NonNullable<AssetFacts[Fact]>;

/** Facts of a collection that assets take as another fact. */
type SharedFact = "authority";

/** A fact that assets may take from their collection. */
export interface Inherited {
  /** The bit of `inheritable`. */
  readonly fact: number;
  /** The fact of the collection that is taken; null = the same one. */
  readonly from: SharedFact | null;
}

/** Everything about a fact that searches need. All members are required, so that none is forgotten. */
export interface FactDescription<Value> {
  /**
   * Values of which most assets have one: their terms are always in memory. Where there are no others, they are in the order
   * in which columns number them.
   */
  readonly closed: readonly Value[];
  /** Whether there are other values. Stores have an index of them; their terms are kept when they are asked for. */
  readonly isOpen: boolean;
  /** Null = it is always an asset's own. */
  readonly inherited: Inherited | null;
  /** Whether an unknown leaf of this tree has the value; null = it depends on the leaf. */
  ofLeaf(value: Value, tree: string): boolean | null;
  /** The list of a filtered store that holds every asset with a value; null = no list does. */
  readonly covered: "mints" | null;
}

/** Facts that have a bit of `inheritable`; that of the royalty is of its basis points, and of creators. */
type InheritableFact = Extract<keyof AssetFacts, keyof typeof inheritable> | "basisPoints";

/** Whether a fact can be inherited follows from the bits: a description that says otherwise does not compile. */
type Inheritance<Fact> = { readonly inherited: Fact extends InheritableFact ? Inherited : null };

const dependsOnLeaf = (): null => null;

const flag = { closed: [false, true], isOpen: false, inherited: null, covered: null } as const;
const open = { closed: [], isOpen: true, inherited: null, ofLeaf: dependsOnLeaf, covered: null } as const;

const descriptions = {
  interface: {
    closed: assetInterfaces,
    isOpen: false,
    inherited: null,
    ofLeaf: (value) => value === "V1_NFT",
    covered: null,
  },
  ownerModel: {
    closed: ownerModels,
    isOpen: false,
    inherited: null,
    ofLeaf: (value) => value === "single",
    covered: null,
  },
  royaltyModel: {
    closed: royaltyModels,
    isOpen: false,
    inherited: null,
    ofLeaf: (value) => value === "creators",
    covered: null,
  },
  frozen: { ...flag, inherited: { fact: inheritable.frozen, from: null }, ofLeaf: dependsOnLeaf },
  compressed: { ...flag, ofLeaf: (value) => value },
  compressible: { ...flag, ofLeaf: (value) => !value },
  burnt: { ...flag, ofLeaf: dependsOnLeaf },
  authority: { ...open, inherited: { fact: inheritable.authority, from: null } },
  delegate: { ...open, inherited: { fact: inheritable.delegate, from: "authority" } },
  // Nearly every asset is one piece, or was until it was burnt.
  supply: { ...open, closed: [0n, 1n], ofLeaf: (value) => (value > 1n ? false : null) },
  supplyMint: { ...open, ofLeaf: () => false, covered: "mints" },
  basisPoints: { ...open, inherited: { fact: inheritable.royalty, from: null } },
  tree: { ...open, ofLeaf: (value, tree) => encodeAddress(value) === tree },
  jsonUri: open,
} satisfies { readonly [Fact in keyof AssetFacts]?: FactDescription<FactValue<Fact>> & Inheritance<Fact> };

/** Facts that a criterion asks for by their value. Each is one column of a store (`columns/asset-row.ts`). */
export type AskedFact = keyof typeof descriptions;

/** A value that a criterion of one fact asks for. */
export type AskedValue = FactValue<AskedFact>;

/** Each of these facts. */
export const factDescriptions: { readonly [Fact in AskedFact]: FactDescription<FactValue<Fact>> } =
  descriptions;

/** The list of these facts. */
export const askedFacts = Object.keys(factDescriptions) as readonly AskedFact[];

/** Asks for the value of one fact; a missing one never matches. */
export type FactCriterion = {
  [Fact in AskedFact]: { readonly kind: Fact; readonly value: FactValue<Fact> };
}[AskedFact];

const kinds: ReadonlySet<string> = new Set(askedFacts);

export const isFactCriterion = (criterion: { readonly kind: string }): criterion is FactCriterion =>
  kinds.has(criterion.kind);

/** The criterion of a fact and a value of it. */
export const factCriterion = (kind: AskedFact, value: AskedValue): FactCriterion =>
  ({ kind, value }) as FactCriterion;

export const hasFact = ({ kind, value }: FactCriterion, facts: Pick<AssetFacts, AskedFact>): boolean => {
  const fact = facts[kind];
  if (fact instanceof Uint8Array) return value instanceof Uint8Array && Buffer.compare(fact, value) === 0;
  return fact === value;
};

/** Whether a filtered store holds every asset that meets the criterion. */
export const isFactCovered = ({ kind, value }: FactCriterion, coverage: FilteredCoverage): boolean => {
  const { covered } = factDescriptions[kind];
  return covered !== null && value instanceof Uint8Array && coverage[covered].includes(encodeAddress(value));
};
