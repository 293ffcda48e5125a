import type { Profile } from "@lamplight/core";

export const profileSettings = ["auto", "spec", "agave"] as const;
export type ProfileSetting = (typeof profileSettings)[number];

/**
 * Which answers a request gets. Solana client libraries (web3.js, Kit, umi, helius-sdk, spl-token, the Rust client)
 * name themselves in a `Solana-Client` header and break on some of the specification's rules.
 */
export const chooseProfile = (
  setting: ProfileSetting,
  solanaClient: string | string[] | undefined,
): Profile => {
  if (setting !== "auto") return setting;
  return solanaClient === undefined ? "spec" : "agave";
};
