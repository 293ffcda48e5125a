import { expect } from "vitest";
import type { Afternoon } from "../afternoon.ts";
import { installLater, laterMark } from "../later-version.ts";
import type { Seen } from "../node.ts";
import type { Step } from "../step.ts";
import { until } from "../until.ts";

export const upgrade: Step = {
  title: "an upgrade changes the rules: the old ones answer until all is derived again",
  run: async (afternoon) => {
    const { chain } = afternoon;
    // Without a finalized slot, nothing is switched: the next process finds none that this one has not taken.
    chain.pause();
    await afternoon.writer.when(
      ({ metrics }) => metrics.find(...finalizedSlot) === chain.simulation.finalized,
    );
    await afternoon.stopNodes();
    const { later, rules } = installLater(afternoon.installation, afternoon.folder);
    afternoon.installation = later;
    await afternoon.startNodes();
    const filled = await afternoon.writer.when((seen) => derivationOf(seen)?.derivedShare === 1);
    expect([derivationOf(filled)?.rules, rulesIn(filled)]).toEqual([rules, rules - 1]);
    expect(await shareOfLater(afternoon)).toBe(0);
    chain.goOn();
    await afternoon.writer.when((seen) => derivationOf(seen) === undefined && rulesIn(seen) === rules);
    await until(async () => ((await shareOfLater(afternoon)) === 1 ? true : null));
    await afternoon.writer.seesReady();
    await afternoon.server.seesReady();
  },
};

const finalizedSlot = ["lamplight_follow_slot", { commitment: "finalized" }] as const;

const derivationOf = ({ body }: Seen) => (body.follow ?? body).derivation;

const rulesIn = ({ metrics }: Seen) => metrics.find("lamplight_follow_rules_version");

/** Share of the assets of an answer that the later rules made: all or none. */
const shareOfLater = async (afternoon: Afternoon): Promise<number> => {
  const { status, text } = await afternoon.call("operator", "searchAssets", { limit: 100 });
  expect(status).toBe(200);
  const { items } = (JSON.parse(text) as { readonly result: { readonly items: readonly object[] } }).result;
  const later = items.filter((item) => JSON.stringify(item).includes(laterMark)).length;
  expect([0, items.length]).toContain(later);
  expect(items.length).toBeGreaterThan(0);
  return later / items.length;
};
