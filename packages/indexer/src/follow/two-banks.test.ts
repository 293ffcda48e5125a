// A slot can have two banks, and no message says that the first one is gone. Each case is reported to the follower as
// events, and over a real gRPC stream, with and without the number of the bank.

import type { ChainEvent, Commitment } from "@lamplight/core";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import { describe, expect, test } from "vitest";
import {
  type Balances,
  bankNames,
  type BankRecipe,
  bankRecipes,
  BankScript,
  write,
} from "../../test/bank-recipes.ts";
import { emit, follower, lamportsAt, overlay, ROOT_SLOT, store, useFork } from "../../test/followed-fork.ts";

useFork(() => [write(ROOT_SLOT, 2, 100n)]);

const balancesAt = async (commitment: Commitment): Promise<Balances> => {
  const balances: Record<number, bigint> = {};
  for (let number = 1; number <= 5; number += 1) {
    const lamports = await lamportsAt(number, commitment);
    if (lamports !== undefined) balances[number] = lamports;
  }
  return balances;
};

const expectRight = async (recipe: BankRecipe): Promise<void> => {
  const { finalizedSlot, processedSlot, blockhash, balances } = recipe;
  expect(overlay.state).toMatchObject({ finalizedSlot, processedSlot });
  expect(follower.state.gap).toBe(null);
  expect(await store.readWatermark()).toEqual({ slot: finalizedSlot, blockhash });
  expect(await balancesAt("processed")).toEqual(balances);
  expect(await balancesAt("finalized")).toEqual(finalizedSlot === ROOT_SLOT ? { 2: 100n } : balances);
};

/** Reports the events over gRPC until the follower has taken a marker behind them. */
const stream = async (events: readonly ChainEvent[]): Promise<void> => {
  const upstream = new SimulatedYellowstone({ replay: () => [] });
  const stopping = new AbortController();
  const source = new YellowstoneSource({
    url: await upstream.start(),
    token: null,
    accounts: { all: {} },
    transactionPrograms: [],
    commitment: "processed",
    resumeFrom: () => ROOT_SLOT + 1,
    signal: stopping.signal,
  });
  const marker = new BankScript("none", 0n, 999, 998);
  try {
    for await (const event of source.events()) {
      await follower.take(event);
      if (event.kind === "restart") {
        while (upstream.subscribers === 0) await new Promise((resolve) => setTimeout(resolve, 2));
        upstream.emit([...events, marker.created()]);
      }
      if (event.kind === "slot" && event.slot === 999) break;
    }
  } finally {
    stopping.abort();
    upstream.stop();
  }
};

describe.each(bankNames)("two banks of a slot, where %s of the messages name the bank:", (names) => {
  const recipes = bankRecipes(names).map((recipe) => [recipe.name, recipe] as const);

  test.each(recipes)("%s", async (_, recipe) => {
    await emit({ kind: "restart", from: null }, ...recipe.events);
    await expectRight(recipe);
  });

  test.each(recipes)("%s, over gRPC", async (_, recipe) => {
    await stream(recipe.events);
    await expectRight(recipe);
  });

  test.each(recipes)("%s, in a stream of complete slots", async (_, recipe) => {
    await emit({ kind: "restart" }, ...recipe.events);
    await expectRight(recipe);
  });

  test.each(recipes)("%s, and no event in between shows anything of two banks", async (_, recipe) => {
    await emit({ kind: "restart", from: null });
    for (const event of recipe.events) {
      await emit(event);
      const balances = await balancesAt("processed");
      // Each recipe gives account 1 and account 3 to the second bank, with account 2 as it was.
      const isOfSecond = balances[1] === 6n || balances[3] === 9n;
      if (isOfSecond) expect(balances[2]).toBe(100n);
      if (isOfSecond) expect(balances[4]).toBe(undefined);
    }
  });
});
