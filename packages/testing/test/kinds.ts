/** Every kind of asset that a chain mints. */
export const kinds = [
  "nft",
  "programmable-nft",
  "core",
  "token-2022",
  "compressed",
  "compressed-v2",
  "fungible",
] as const;
