import { ClaimReader } from "../engine/claims.ts";
import type { Delta, Path } from "../engine/delta.ts";
import { mergeDeltas } from "../engine/delta-draft.ts";
import { derive, stepsOf, type StepUpdates } from "../engine/derive.ts";
import { layer } from "../engine/layer.ts";
import type { StateReader } from "../engine/state-reader.ts";
import { VersionMemory } from "../engine/version-memory.ts";
import type { ActiveRules } from "../next/active-rules.ts";
import type { ReportProblem } from "../rules/rules.ts";

interface DeriveOptions {
  readonly onProblem?: ReportProblem;
  readonly closeFromTransactions?: boolean;
}

/** Derives what a slot changes, from the stored states and the path of its ancestors. It changes neither of them. */
export const deriveDelta = async (
  stored: StateReader,
  below: Path,
  updates: Omit<StepUpdates, "watermark">,
  { rules, next }: ActiveRules,
  { onProblem: report = () => {}, closeFromTransactions = true }: DeriveOptions,
): Promise<Delta> => {
  const tools = {
    rules,
    next,
    claims: new ClaimReader(rules.accounts),
    memory: new VersionMemory(),
    report,
  };
  const own: Delta[] = [];
  // Nearly every slot fits into one step.
  for (const step of stepsOf({ ...updates, watermark: null }, rules, closeFromTransactions))
    own.unshift(await derive(layer(stored, [...own, ...below]), step, tools));
  return mergeDeltas(own);
};
