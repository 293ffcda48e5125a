import type {
  ChangeSet,
  CommitReceipt,
  IndexStore,
  NextProgress,
  NextSet,
  UnfinalizedChange,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { ClaimReader } from "../engine/claims.ts";
import { deriveAssets } from "../engine/derive-assets.ts";
import { ASSETS_PER_FILL_PAGE } from "../engine/limits.ts";
import { RoundReader } from "../engine/round-reader.ts";
import type { StateReader } from "../engine/state-reader.ts";
import { decodeNextRow, nextRowOf } from "../record/next-row.ts";
import type { DerivationRules } from "../rules/rules.ts";
import { ruleBookOf } from "./derivations.ts";

/**
 * Fills one page of the next set: derives the ids after the last page, and keeps what differs from the rows that
 * answer. Nothing else may write the store until then.
 *
 * @returns how far the set is filled; `isFilled` after the last page
 */
export const fillNext = async (
  store: StateReader & Pick<IndexStore, "nextSet" | "readDerivation">,
  derivation: DerivationRules,
): Promise<NextProgress> => {
  const nextSet = nextSetOf(store);
  const { version } = derivation;
  const { next } = await store.readDerivation();
  if (next?.isFilled === true) return next;
  const after = next?.after ?? null;
  const page = await nextSet.readSeenPage(
    after === null ? null : Buffer.from(after, "hex"),
    ASSETS_PER_FILL_PAGE,
  );
  const rules = ruleBookOf(derivation);
  const reader = new RoundReader(store, ignoreProblem);
  const ids = page.map(({ id }) => id);
  const derived = await deriveAssets(ids, reader, new ClaimReader(rules.accounts), rules);
  const rows = page.map(({ id, asset }, index) => nextRowOf(id, asset, derived[index]?.asset ?? null));
  const last = ids.at(-1);
  const progress = {
    version,
    after: last === undefined ? after : Buffer.from(last).toString("hex"),
    isFilled: page.length < ASSETS_PER_FILL_PAGE,
  };
  await nextSet.fill(rows, progress);
  return progress;
};

/**
 * Makes a filled set the one that answers, in one commit with `last`.
 *
 * @param last - what the rules of the set derived since
 * @param shown - the published slots above, by the same rules
 */
export const finishNext = (
  store: Pick<IndexStore, "nextSet">,
  { version }: DerivationRules,
  last: ChangeSet,
  shown?: UnfinalizedChange,
): Promise<CommitReceipt> => nextSetOf(store).finish(version, last, decodeNextRow, shown);

const nextSetOf = ({ nextSet }: Pick<IndexStore, "nextSet">): NextSet => {
  if (nextSet === undefined)
    throw brokenInvariant("a store that keeps one set of assets was given a next one");
  return nextSet;
};

/** The commit of each account has reported its problems. */
const ignoreProblem = (): void => {};
