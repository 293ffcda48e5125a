import type { Criterion } from "@lamplight/core";

/** One text per criterion value; equal criteria have equal keys. Criteria that no term stands for have null. */
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

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
