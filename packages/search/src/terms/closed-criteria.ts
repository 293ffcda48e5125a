import { assetInterfaces, type Criterion } from "@lamplight/core";

/** Criteria with few possible values, and values that most assets share: their terms are always in memory. */
export const closedCriteria: readonly Criterion[] = [
  ...assetInterfaces.map((name): Criterion => ({ kind: "interface", interface: name })),
  ...(["single", "token"] as const).map((ownerModel): Criterion => ({ kind: "ownerModel", ownerModel })),
  ...(["creators", "fanout", "single"] as const).map((royaltyModel): Criterion => ({
    kind: "royaltyModel",
    royaltyModel,
  })),
  ...(["frozen", "compressed", "compressible", "burnt"] as const).flatMap((flag): Criterion[] => [
    { kind: "flag", flag, value: true },
    { kind: "flag", flag, value: false },
  ]),
  { kind: "creatorVerified", verified: true },
  { kind: "creatorVerified", verified: false },
  // Nearly every asset is one piece, or was until it was burnt.
  { kind: "supply", supply: 0n },
  { kind: "supply", supply: 1n },
];
