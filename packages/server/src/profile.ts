import type { Profile } from "@lamplight/core";

export const profileSettings = ["auto", "spec", "agave"] as const;
export type ProfileSetting = (typeof profileSettings)[number];

/**
 * Chooses the profile of the answers that a request gets. Solana client libraries (web3.js, Kit, umi, helius-sdk,
 * spl-token, the Rust client) name themselves in a `Solana-Client` header and break on some of the specification's
 * rules.
 *
 * @param named - what the URL of the request names; it takes precedence over the setting
 */
export const chooseProfile = (
  named: Profile | null,
  setting: ProfileSetting,
  solanaClient: string | string[] | undefined,
): Profile => {
  if (named !== null) return named;
  if (setting !== "auto") return setting;
  return solanaClient === undefined ? "spec" : "agave";
};

/**
 * The profile that the query of a request target names, for clients that cannot send the header; null where it names
 * none, undefined where `profile` has another value or is repeated. Other members of a query have no meaning.
 */
export const namedProfile = (target: string): Profile | null | undefined => {
  const query = target.indexOf("?");
  if (query === -1) return null;
  const [name, ...others] = new URLSearchParams(target.slice(query + 1)).getAll("profile");
  if (name === undefined) return null;
  return others.length === 0 && (name === "agave" || name === "spec") ? name : undefined;
};
