import { join } from "node:path";
import { brokenInvariant } from "@lamplight/errors";
import { parseTransactions } from "@lamplight/sources/transactions";
import { loadAccounts } from "../dump-files.ts";
import type { Lab } from "../lab.ts";
import { listOf, membersOf, readJson, textOf, type Members } from "../read-json.ts";

/** One order of all steps between two resets. */
export interface RunPlan {
  /** Names the order, empty where there is only one. */
  readonly label: string;
  /** `number` is 1-based, as in the file. */
  readonly steps: readonly { readonly step: Members; readonly number: number }[];
}

/** Six units of one step; the real cases have at most five. */
const PERMUTATIONS_LIMIT = 720;

/**
 * Every run a list of steps asks for. A reset empties the store, so the parts between resets are independent of each
 * other; within a part, each step that needs all permutations multiplies the runs.
 */
export const runPlans = (steps: readonly Members[]): readonly RunPlan[] =>
  splitAtResets(steps).flatMap((part) => {
    let plans: readonly RunPlan[] = [{ label: "", steps: [] }];
    for (const { step, number } of part) {
      const orders = ordersOf(step);
      plans = plans.flatMap((plan) =>
        orders.map((order) => ({
          label: [plan.label, order.label].filter((label) => label !== "").join(", "),
          steps: [...plan.steps, { step: order.step, number }],
        })),
      );
      if (plans.length > PERMUTATIONS_LIMIT)
        throw brokenInvariant(`more than ${PERMUTATIONS_LIMIT} orders of arrival`);
    }
    return plans;
  });

const splitAtResets = (steps: readonly Members[]): readonly RunPlan["steps"][] => {
  const parts: { step: Members; number: number }[][] = [[]];
  for (const [index, step] of steps.entries()) {
    if (step["reset"] === true) parts.push([]);
    else parts.at(-1)?.push({ step, number: index + 1 });
  }
  return parts.filter((part) => part.length > 0);
};

const ordersOf = (step: Members): readonly { step: Members; label: string }[] => {
  const index = membersOf(step["index"]);
  if (index["order"] !== "all-permutations") return [{ step, label: "" }];
  const units = listOf(index["units"]);
  return permutations(units.map((_, unit) => unit)).map((order) => ({
    step: { ...step, index: { ...index, units: order.map((unit) => units[unit]) } },
    label: `units ${order.map((unit) => unit + 1).join("-")}`,
  }));
};

const permutations = (items: readonly number[]): readonly (readonly number[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

/** Indexes one item after the other, as they would arrive. */
export const indexItems = async (lab: Lab, folder: string, index: Members): Promise<void> => {
  for (const unit of listOf(index["units"]).map(membersOf)) {
    for (const item of listOf(unit["items"]).map(membersOf)) {
      const file = join(folder, textOf(item["file"]));
      if (item["transaction"] === undefined) await lab.indexAccounts(await loadAccounts(file));
      else await lab.indexTransactions(parseTransactions(await readJson(file), null));
    }
  }
};
