import type { Slot } from "@lamplight/core";
import { ClaimReader } from "../engine/claims.ts";
import { derive, stepsOf, type StepUpdates } from "../engine/derive.ts";
import { layer } from "../engine/layer.ts";
import type { StateReader } from "../engine/state-reader.ts";
import { ruleBook } from "../programs/rule-book.ts";
import type { ReportProblem } from "../rules/rules.ts";
import { Delta, type DeltaPart, type DeltaSource, type Path } from "./delta.ts";

interface DeriveOptions {
  readonly onProblem?: ReportProblem;
  readonly closeFromTransactions?: boolean;
}

/** What a slot changes against the path below it, over the states of a base. Neither of them changes. */
export const deriveDelta = async (
  slot: Slot,
  base: StateReader,
  below: Path,
  updates: StepUpdates,
  { onProblem: report = () => {}, closeFromTransactions = true }: DeriveOptions,
  source: DeltaSource = {},
): Promise<Delta> => {
  const tools = { rules: ruleBook, claims: new ClaimReader(ruleBook.accounts), report };
  const parts: DeltaPart[] = [];
  // Nearly every slot is one step.
  for (const step of stepsOf(updates, ruleBook, closeFromTransactions)) {
    const own = parts.length === 0 ? [] : [Delta.of(slot, parts)];
    parts.push(await derive(layer(base, [...own, ...below]), step, tools));
  }
  return Delta.of(slot, parts, source);
};
