import type { IndexReader } from "@lamplight/core";
import { encodeAddress } from "@lamplight/codecs";
import { ClaimReader } from "../engine/claims.ts";
import { deriveAssets } from "../engine/derive-assets.ts";
import { ASSETS_PER_VERIFY_PAGE, DIFFERENCES_LISTED_MAX } from "../engine/limits.ts";
import { RoundReader } from "../engine/round-reader.ts";
import { ruleBook } from "../programs/programs.ts";
import { type AssetDifference, differingMembers } from "../record/differing-members.ts";

export interface VerifyReport {
  readonly assets: number;
  readonly differing: number;
  /** The first hundred. */
  readonly differences: readonly AssetDifference[];
}

/**
 * Derives every asset again and compares it with what is stored, page by page.
 *
 * @param onProgress - called after each page with the number of assets compared so far
 */
export const verifyAssets = async (
  store: IndexReader,
  onProgress: (assets: number) => void = () => {},
): Promise<VerifyReport> => {
  const claims = new ClaimReader(ruleBook.accounts);
  const differences: AssetDifference[] = [];
  let assets = 0;
  let differing = 0;
  let from = 0;
  for (;;) {
    const page = await store.readAssetPage(from, ASSETS_PER_VERIFY_PAGE);
    const last = page.at(-1);
    if (last === undefined) return { assets, differing, differences };
    const reader = new RoundReader(store, () => {});
    const derived = await deriveAssets(
      page.map((stored) => stored.id),
      reader,
      claims,
      ruleBook,
    );
    for (const [index, stored] of page.entries()) {
      const members = differingMembers(stored, derived[index]?.asset ?? null);
      if (members.length === 0) continue;
      differing += 1;
      if (differences.length < DIFFERENCES_LISTED_MAX) {
        differences.push({ id: encodeAddress(stored.id), differing: members });
      }
    }
    assets += page.length;
    onProgress(assets);
    from = last.ordinal + 1;
  }
};
