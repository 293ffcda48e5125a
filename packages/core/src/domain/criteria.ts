import { encodeAddress, sameBytes } from "@lamplight/codecs";
import { type AssetFacts, inheritable } from "./asset.ts";
import type { FilteredCoverage } from "./coverage.ts";
import {
  type AskedFact,
  askedFacts,
  type FactCriterion,
  factCriterion,
  factDescriptions,
  hasFact,
  type Inherited,
  isFactCovered,
} from "./fact-criteria.ts";
import { hasItem } from "./list-criteria.ts";
import type { Criterion } from "./search.ts";
import { hasTokenType } from "./token-types.ts";

/** Everything about one kind of criterion that searches need. All members are required, so that none is forgotten. */
interface CriterionDescription<One extends Criterion> {
  /** Criteria whose terms are always in memory. */
  readonly closed: readonly One[];
  /** Whether an asset meets the criterion by its own facts. */
  matches(criterion: One, facts: AssetFacts): boolean;
  /** The criteria that an asset meets, without closed ones. */
  metBy(facts: AssetFacts): readonly One[];
  /** The key of the term. Equal criteria have equal keys; null = it is not kept as a term. */
  key(criterion: One): string | null;
  /** Null = the criterion is always on an asset's own facts. */
  readonly inherited: Inherited | null;
  /** Whether an unknown leaf of this tree meets the criterion; null = it depends on the leaf. */
  ofLeaf(criterion: One, tree: string): boolean | null;
  /** Whether a filtered store holds every asset that meets the criterion. */
  isCovered(criterion: One, coverage: FilteredCoverage): boolean;
}

type Kind = Criterion["kind"];
type Of<Each extends Kind> = Extract<Criterion, { readonly kind: Each }>;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Most kinds have no closed criteria, are never inherited, and know nothing of leaves or of coverage. */
const common = { closed: [], inherited: null, ofLeaf: () => null, isCovered: () => false } as const;

/** Criteria of other kinds have terms, so each says which ones an asset meets and what their keys are. */
const withoutTerms = { metBy: () => [], key: () => null } as const;

const ofFact = (fact: AskedFact): CriterionDescription<FactCriterion> => {
  const { closed, isOpen, inherited } = factDescriptions[fact];
  return {
    closed: closed.map((value) => factCriterion(fact, value)),
    matches: hasFact,
    metBy: ({ [fact]: value }) => (isOpen && value !== null ? [factCriterion(fact, value)] : []),
    key: ({ kind, value }) => `${kind} ${typeof value === "object" ? hex(value) : value}`,
    inherited,
    ofLeaf: ({ kind, value }, tree) => factDescriptions[kind].ofLeaf(value as never, tree),
    isCovered: isFactCovered,
  };
};

/** Creators are inherited with the royalty. */
const ofCreators = {
  ...common,
  matches: hasItem,
  inherited: { fact: inheritable.royalty, from: null },
} as const;

const others: { readonly [Each in Exclude<Kind, AskedFact>]: CriterionDescription<Of<Each>> } = {
  creator: {
    ...ofCreators,
    metBy: ({ creators }) =>
      creators.flatMap(({ address: creator, verified }) =>
        [verified, null].map((asked) => ({ kind: "creator", creator, verified: asked }) as const),
      ),
    key: ({ verified, creator }) => `creator ${verified} ${hex(creator)}`,
  },
  creatorVerified: {
    ...ofCreators,
    closed: [true, false].map((verified) => ({ kind: "creatorVerified", verified })),
    metBy: () => [],
    key: ({ verified }) => `creatorVerified ${verified}`,
  },
  royaltyTarget: {
    ...ofCreators,
    metBy: ({ creators }) =>
      creators
        .filter(({ share }) => share > 0)
        .map(({ address: target }) => ({ kind: "royaltyTarget", target })),
    key: ({ target }) => `royaltyTarget ${hex(target)}`,
  },
  group: {
    ...common,
    matches: hasItem,
    metBy: ({ groups }) =>
      groups.flatMap(({ key, value, verified }) =>
        (verified ? [true, false] : [true]).map(
          (includeUnverified) => ({ kind: "group", key, value, includeUnverified }) as const,
        ),
      ),
    key: ({ includeUnverified, key, value }) => `group ${includeUnverified} ${JSON.stringify([key, value])}`,
    ofLeaf: ({ key }) => (key === "collection" ? null : false),
    isCovered: ({ key, value }, { collections }) => key === "collection" && collections.includes(value),
  },
  owner: {
    ...common,
    matches: ({ owner }, { ownerModel, assetOwner }) =>
      ownerModel === "single" && assetOwner !== null && sameBytes(assetOwner, owner),
    metBy: ({ assetOwner: owner, ownerModel }) =>
      owner !== null && ownerModel === "single"
        ? [{ kind: "owner", owner, ownerModel, includeZero: false }]
        : [],
    // Holdings of fungibles are no facts of the asset, so only `single` has a key.
    key: ({ ownerModel, owner }) => (ownerModel === "single" ? `owner ${hex(owner)}` : null),
    ofLeaf: ({ ownerModel }) => (ownerModel === "token" ? false : null),
    isCovered: ({ owner }, { owners }) => owners.includes(encodeAddress(owner)),
  },
  tokenType: {
    ...common,
    ...withoutTerms,
    matches: ({ tokenType }, facts) => hasTokenType(tokenType, facts),
    ofLeaf: ({ tokenType }) => hasTokenType(tokenType, { interface: "V1_NFT", compressed: true }),
  },
  name: {
    ...common,
    ...withoutTerms,
    matches: ({ name }, facts) => facts.name.toLowerCase().includes(name.toLowerCase()),
  },
  inherits: {
    ...common,
    matches: ({ from, fact }, { inherits }) =>
      inherits !== null && (inherits.facts & fact) !== 0 && sameBytes(inherits.from, from),
    metBy: ({ inherits }) =>
      inherits === null
        ? []
        : Object.values(inheritable)
            .filter((fact) => (inherits.facts & fact) !== 0)
            .map((fact) => ({ kind: "inherits", from: inherits.from, fact })),
    key: ({ fact, from }) => `inherits ${fact} ${hex(from)}`,
  },
  nothing: { ...common, ...withoutTerms, matches: () => false, ofLeaf: () => false, isCovered: () => true },
};

const descriptions = {
  ...Object.fromEntries(askedFacts.map((fact) => [fact, ofFact(fact)])),
  ...others,
} as unknown as Readonly<Record<Kind, CriterionDescription<Criterion>>>;

/** The description of a criterion's kind. */
export const descriptionOf = ({ kind }: Criterion): CriterionDescription<Criterion> => descriptions[kind];

const all = Object.values(descriptions);

/** Criteria with few possible values, and values that most assets share: their terms are always in memory. At most 53. */
export const closedCriteria: readonly Criterion[] = all.flatMap(({ closed }) => closed);

/**
 * Whether an asset meets a criterion, from its own facts: what keeps a term in memory in sync with changes. Facts that
 * it inherits are none of them (`inheritedForm`). Holdings (`owner` beyond `single`) are no facts of the asset: such a
 * criterion counts only the owner here.
 */
export const matchesCriterion = (criterion: Criterion, facts: AssetFacts): boolean =>
  descriptionOf(criterion).matches(criterion, facts);

/** Key of a criterion with its value; equal criteria have equal keys. Null for a criterion that is not kept as a term. */
export const termKey = (criterion: Criterion): string | null => descriptionOf(criterion).key(criterion);

/** Keys of all criteria that an asset meets, but for the closed ones, which are always kept. */
export const termKeysOf = (facts: AssetFacts): readonly string[] =>
  all.flatMap((description) => description.metBy(facts).map((criterion) => description.key(criterion)!));
