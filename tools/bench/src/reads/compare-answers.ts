import { reasonFor } from "./decided.ts";
import { type Compared, type CountedDifference, type Difference, differencesOf } from "./differences.ts";
import type { ReadCall } from "./reads-options.ts";

/** By the list of `decided.ts`. */
export const compareAnswers = async (
  calls: readonly ReadCall[],
  ours: URL,
  theirs: URL,
): Promise<Compared> => {
  const differences = new Map<string, CountedDifference>();
  let wrong = 0;
  for (const call of calls) {
    const found = differencesOf(await ask(ours, call.ours), await ask(theirs, call.theirs));
    if (found.some((difference) => reasonFor(difference) === null)) wrong += 1;
    const once = new Map(found.map((difference) => [keyOf(difference), difference]));
    for (const [key, example] of once) {
      const known = differences.get(key);
      if (known === undefined) differences.set(key, { answers: 1, example, reason: reasonFor(example) });
      else known.answers += 1;
    }
  }
  return { wrong, differences };
};

/** Known and unknown differences at one path are counted apart. */
const keyOf = (difference: Difference): string => `${difference.path}: ${reasonFor(difference) ?? "wrong"}`;

const ask = async (url: URL, body: string): Promise<string> => {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body })).text();
};
