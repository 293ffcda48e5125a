import { randomBytes } from "node:crypto";
import { encodeAddress } from "@lamplight/codecs";
import type { NextSet, SeenAsset } from "@lamplight/core";
import { ClaimReader } from "./claims.ts";
import { deriveAssets } from "./derive-assets.ts";
import { RoundReader } from "./round-reader.ts";
import type { StateReader } from "./state-reader.ts";
import { type AssetDifference, differingMembers } from "../record/differing-members.ts";
import type { RuleBook } from "../rules/rules.ts";

const ADDRESS_BYTES = 32;

/** Some ids, compared with what the rules make of the accounts around them. */
export interface AssetSample {
  /** Ids that were compared, with those that are no asset. */
  readonly compared: number;
  readonly differences: readonly AssetDifference[];
}

/**
 * Derives the ids that follow a random place, and compares them with the rows that answer. Nothing else may write the
 * store until then.
 *
 * @param seen - lists the ids
 * @param rules - of these rows
 * @param ids - how many at most
 */
export const sampleAssets = async (
  store: StateReader,
  seen: Pick<NextSet, "readSeenPage">,
  rules: RuleBook,
  ids: number,
): Promise<AssetSample> => {
  const found = await seen.readSeenPage(randomBytes(ADDRESS_BYTES), ids);
  const rest = ids - found.length;
  // Behind the last id, the first ones follow.
  const page = rest === 0 ? found : [...found, ...(await seen.readSeenPage(null, rest))];
  const reader = new RoundReader(store, ignoreProblem);
  const claims = new ClaimReader(rules.accounts);
  const derived = await deriveAssets(
    page.map(({ id }) => id),
    reader,
    claims,
    rules,
  );
  const differences = page.flatMap((one, index) => differenceOf(one, derived[index]?.asset ?? null));
  return { compared: page.length, differences };
};

const differenceOf = ({ id, asset }: SeenAsset, derived: SeenAsset["asset"]): readonly AssetDifference[] => {
  const missing = derived === null ? [] : ["asset"];
  const differing = asset === null ? missing : differingMembers(asset, derived);
  return differing.length === 0 ? [] : [{ id: encodeAddress(id), differing }];
};

/** The commit of each account has reported its problems. */
const ignoreProblem = (): void => {};
