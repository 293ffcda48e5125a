import {
  type AskedFact,
  askedFacts,
  type AskedValue,
  type AssetFacts,
  type Criterion,
  factDescriptions,
  inheritable,
  isFactCriterion,
} from "@lamplight/core";

/** Key of a criterion with its value; equal criteria have equal keys. Null for a criterion that is not kept as a term. */
export const termKey = (criterion: Criterion): string | null => {
  if (isFactCriterion(criterion)) return factKey(criterion.kind, criterion.value);
  switch (criterion.kind) {
    case "creatorVerified":
      return `creatorVerified ${criterion.verified}`;
    case "creator":
      return `creator ${criterion.verified} ${hex(criterion.creator)}`;
    case "royaltyTarget":
      return `royaltyTarget ${hex(criterion.target)}`;
    case "group":
      return `group ${criterion.includeUnverified} ${JSON.stringify([criterion.key, criterion.value])}`;
    case "inherits":
      return `inherits ${criterion.fact} ${hex(criterion.from)}`;
    // The owner of an asset is a term; holdings of fungibles are not facts of the asset, so only `single` has a key.
    case "owner":
      return criterion.ownerModel === "single" ? `owner ${hex(criterion.owner)}` : null;
    case "tokenType":
    case "name":
    case "nothing":
      return null;
    default:
      return criterion satisfies never;
  }
};

const factKey = (fact: AskedFact, value: AskedValue): string =>
  `${fact} ${typeof value === "object" ? hex(value) : value}`;

const openFacts = askedFacts.filter((fact) => factDescriptions[fact].isOpen);

/** Keys of all criteria that an asset meets, but for the closed ones, which are always kept. */
export const termKeysOf = (facts: AssetFacts): string[] => {
  const keys: string[] = [];
  for (const fact of openFacts) {
    const value = facts[fact];
    if (value !== null) keys.push(factKey(fact, value));
  }
  const criteria: Criterion[] = [];
  if (facts.assetOwner !== null && facts.ownerModel === "single")
    criteria.push({ kind: "owner", owner: facts.assetOwner, ownerModel: "single", includeZero: false });
  const { inherits } = facts;
  if (inherits !== null)
    for (const fact of Object.values(inheritable))
      if ((inherits.facts & fact) !== 0) criteria.push({ kind: "inherits", from: inherits.from, fact });
  for (const { address, verified, share } of facts.creators) {
    criteria.push({ kind: "creator", creator: address, verified });
    criteria.push({ kind: "creator", creator: address, verified: null });
    if (share > 0) criteria.push({ kind: "royaltyTarget", target: address });
  }
  for (const { key, value, verified } of facts.groups) {
    criteria.push({ kind: "group", key, value, includeUnverified: true });
    if (verified) criteria.push({ kind: "group", key, value, includeUnverified: false });
  }
  for (const criterion of criteria) keys.push(termKey(criterion)!);
  return keys;
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
