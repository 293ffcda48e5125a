import { encodeAddress } from "@lamplight/codecs";
import { type AssetFacts, assetInterfaces, inheritable } from "./asset.ts";
import type { Coverage } from "./coverage.ts";
import type { Criterion } from "./search.ts";

/** Criteria that ask for the value of one fact, which is one column of a store. */
export type FactCriterion = Extract<
  Criterion,
  {
    readonly kind:
      | "interface"
      | "ownerModel"
      | "royaltyModel"
      | "flag"
      | "authority"
      | "delegate"
      | "supply"
      | "supplyMint"
      | "basisPoints"
      | "tree";
  }
>;

type Flag = Extract<Criterion, { readonly kind: "flag" }>["flag"];

/** Facts that such a criterion asks for. */
export type AskedFact = Exclude<FactCriterion["kind"], "flag"> | Flag;

/** Everything about a fact that searches need. All members are required, so that none is forgotten. */
export interface FactDescription<Value = AskedValue> {
  /** Its column of `asset` in every store. */
  readonly column: string;
  /** Whether it may be missing: then no criterion matches. */
  readonly isNullable: boolean;
  /** Values of which most assets have one: their terms are always in memory. */
  readonly closed: readonly Value[];
  /** Whether there are other values, whose terms are kept when they are asked for. */
  readonly isOpen: boolean;
  /** The bit of `inheritable`; 0 for a fact that is always an asset's own. */
  readonly inherited: number;
  /** Whether an unknown leaf of this tree has the value; null = it depends on the leaf. */
  ofLeaf(value: Value, tree: string): boolean | null;
  /** The list of a filtered store that holds every asset with a value; null = no list does. */
  readonly covered: "mints" | null;
  /** The criterion that asks for a value. */
  of(value: Value): FactCriterion;
}

const dependsOnLeaf = (): null => null;

const flag = (
  name: Flag,
  { inherited = 0, ofLeaf }: Pick<FactDescription<boolean>, "ofLeaf"> & { readonly inherited?: number },
): FactDescription<boolean> => ({
  column: name,
  isNullable: false,
  closed: [true, false],
  isOpen: false,
  inherited,
  ofLeaf,
  covered: null,
  of: (value) => ({ kind: "flag", flag: name, value }),
});

const open = { closed: [], isOpen: true, inherited: 0, ofLeaf: dependsOnLeaf, covered: null } as const;

/** Each fact that a criterion asks for by its value. */
export const factDescriptions: {
  readonly [Fact in AskedFact]: FactDescription<NonNullable<AssetFacts[Fact]>>;
} = {
  interface: {
    column: "interface",
    isNullable: false,
    closed: assetInterfaces,
    isOpen: false,
    inherited: 0,
    ofLeaf: (value) => value === "V1_NFT",
    covered: null,
    of: (value) => ({ kind: "interface", interface: value }),
  },
  ownerModel: {
    column: "owner_model",
    isNullable: false,
    closed: ["single", "token"],
    isOpen: false,
    inherited: 0,
    ofLeaf: (value) => value === "single",
    covered: null,
    of: (value) => ({ kind: "ownerModel", ownerModel: value }),
  },
  royaltyModel: {
    column: "royalty_model",
    isNullable: false,
    closed: ["creators", "fanout", "single"],
    isOpen: false,
    inherited: 0,
    ofLeaf: (value) => value === "creators",
    covered: null,
    of: (value) => ({ kind: "royaltyModel", royaltyModel: value }),
  },
  frozen: flag("frozen", { inherited: inheritable.frozen, ofLeaf: dependsOnLeaf }),
  compressed: flag("compressed", { ofLeaf: (value) => value }),
  compressible: flag("compressible", { ofLeaf: (value) => !value }),
  burnt: flag("burnt", { ofLeaf: dependsOnLeaf }),
  authority: {
    ...open,
    column: "authority",
    isNullable: true,
    inherited: inheritable.authority,
    of: (value) => ({ kind: "authority", authority: value }),
  },
  delegate: {
    ...open,
    column: "delegate",
    isNullable: true,
    inherited: inheritable.delegate,
    of: (value) => ({ kind: "delegate", delegate: value }),
  },
  supply: {
    ...open,
    column: "supply",
    isNullable: true,
    // Nearly every asset is one piece, or was until it was burnt.
    closed: [0n, 1n],
    ofLeaf: (value) => (value > 1n ? false : null),
    of: (value) => ({ kind: "supply", supply: value }),
  },
  supplyMint: {
    ...open,
    column: "supply_mint",
    isNullable: true,
    ofLeaf: () => false,
    covered: "mints",
    of: (value) => ({ kind: "supplyMint", mint: value }),
  },
  basisPoints: {
    ...open,
    column: "basis_points",
    isNullable: false,
    inherited: inheritable.royalty,
    of: (value) => ({ kind: "basisPoints", basisPoints: value }),
  },
  tree: {
    ...open,
    column: "tree",
    isNullable: true,
    ofLeaf: (value, tree) => encodeAddress(value) === tree,
    of: (value) => ({ kind: "tree", tree: value }),
  },
};

/** The list of these facts. */
export const askedFacts = Object.keys(factDescriptions) as readonly AskedFact[];

/** A value that a criterion of one fact asks for. */
export type AskedValue = NonNullable<AssetFacts[AskedFact]>;

const kinds: ReadonlySet<string> = new Set<string>([...askedFacts, "flag"]);

export const isFactCriterion = (criterion: Criterion): criterion is FactCriterion =>
  kinds.has(criterion.kind);

export const askedFactOf = (criterion: FactCriterion): AskedFact =>
  criterion.kind === "flag" ? criterion.flag : criterion.kind;

export const askedValueOf = (criterion: FactCriterion): AskedValue => {
  switch (criterion.kind) {
    case "interface":
      return criterion.interface;
    case "ownerModel":
      return criterion.ownerModel;
    case "royaltyModel":
      return criterion.royaltyModel;
    case "flag":
      return criterion.value;
    case "authority":
      return criterion.authority;
    case "delegate":
      return criterion.delegate;
    case "supply":
      return criterion.supply;
    case "supplyMint":
      return criterion.mint;
    case "basisPoints":
      return criterion.basisPoints;
    case "tree":
      return criterion.tree;
    default:
      return criterion satisfies never;
  }
};

/** The description of the fact that a criterion asks for. */
export const descriptionOf = (criterion: FactCriterion): FactDescription =>
  factDescriptions[askedFactOf(criterion)];

/** Whether a filtered store holds every asset that meets the criterion. */
export const isFactCovered = (
  criterion: FactCriterion,
  coverage: Extract<Coverage, { readonly kind: "filtered" }>,
): boolean => {
  const { covered } = descriptionOf(criterion);
  const value = askedValueOf(criterion);
  return covered !== null && value instanceof Uint8Array && coverage[covered].includes(encodeAddress(value));
};
