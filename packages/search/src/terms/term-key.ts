import { type AssetFacts, type Criterion, inheritable } from "@lamplight/core";

/** Key of a criterion with its value; equal criteria have equal keys. Null for a criterion that is not kept as a term. */
export const termKey = (criterion: Criterion): string | null => {
  switch (criterion.kind) {
    case "interface":
      return `interface ${criterion.interface}`;
    case "ownerModel":
      return `ownerModel ${criterion.ownerModel}`;
    case "royaltyModel":
      return `royaltyModel ${criterion.royaltyModel}`;
    case "flag":
      return `${criterion.flag} ${criterion.value}`;
    case "creatorVerified":
      return `creatorVerified ${criterion.verified}`;
    case "creator":
      return `creator ${criterion.verified} ${hex(criterion.creator)}`;
    case "authority":
      return `authority ${hex(criterion.authority)}`;
    case "delegate":
      return `delegate ${hex(criterion.delegate)}`;
    case "supplyMint":
      return `supplyMint ${hex(criterion.mint)}`;
    case "royaltyTarget":
      return `royaltyTarget ${hex(criterion.target)}`;
    case "tree":
      return `tree ${hex(criterion.tree)}`;
    case "group":
      return `group ${criterion.includeUnverified} ${JSON.stringify([criterion.key, criterion.value])}`;
    case "supply":
      return `supply ${criterion.supply}`;
    case "basisPoints":
      return `basisPoints ${criterion.basisPoints}`;
    case "jsonUri":
      return `jsonUri ${criterion.jsonUri}`;
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

/** Keys of all criteria that an asset meets, but for the closed ones, which are always kept. */
export const termKeysOf = (facts: AssetFacts): string[] => {
  const criteria: Criterion[] = [
    { kind: "basisPoints", basisPoints: facts.basisPoints },
    { kind: "jsonUri", jsonUri: facts.jsonUri },
  ];
  if (facts.supply !== null) criteria.push({ kind: "supply", supply: facts.supply });
  if (facts.authority !== null) criteria.push({ kind: "authority", authority: facts.authority });
  if (facts.delegate !== null) criteria.push({ kind: "delegate", delegate: facts.delegate });
  if (facts.supplyMint !== null) criteria.push({ kind: "supplyMint", mint: facts.supplyMint });
  if (facts.tree !== null) criteria.push({ kind: "tree", tree: facts.tree });
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
  return criteria.map((criterion) => termKey(criterion)!);
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
