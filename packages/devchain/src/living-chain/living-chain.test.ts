import { expect, test } from "vitest";
import { LivingChain } from "./living-chain.ts";

const slots = (seed: number, count: number) => {
  const chain = new LivingChain({ seed, firstSlot: 1000 });
  return { chain, slots: Array.from({ length: count }, () => chain.next()) };
};

test("the same seed gives the same slots, and another seed others", () => {
  const [one, two, other] = [slots(7, 40), slots(7, 40), slots(8, 40)];
  expect(two.slots).toEqual(one.slots);
  expect(other.slots).not.toEqual(one.slots);
  expect(one.slots.map(({ slot }) => slot)).toEqual(Array.from({ length: 40 }, (_, index) => 1000 + index));
});

test("assets are minted, sold and burnt, and never more than a bound are alive", () => {
  const { chain } = slots(3, 1);
  const before = chain.living.length;
  const owners = new Set(chain.wallets.map(({ address }) => address));
  expect(owners.size).toBe(8);
  for (let count = 0; count < 600; count += 1) chain.next();
  const minted = chain.world.ids().length;
  expect(minted).toBeGreaterThan(before + 50);
  expect(chain.living.length).toBeLessThan(minted);
  expect(chain.living.length).toBeGreaterThanOrEqual(20);
});
