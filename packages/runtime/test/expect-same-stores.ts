import { sysvarAddresses } from "@lamplight/codecs";
import { expect } from "vitest";
import { contentOf, type CoveredChain, faultsOf } from "./covered-chain.ts";

/** Two processes stop at different slots, and each slot writes it. */
const clock = Buffer.from(sysvarAddresses.clock).toString("hex");

/** Stops following. A store whose coverage changed is what the other one is, but for what was closed before its time. */
export const expectSameStores = async (chain: CoveredChain, store: string, other: string): Promise<void> => {
  await chain.settle();
  await chain.stopFollowing(store);
  await chain.stopFollowing(other);
  const [found, wanted] = [await contentOf(store), await contentOf(other)];
  expect(differences(found.living, wanted.living).filter((one) => !one.includes(clock))).toEqual([]);
  expect(differences(found.assets, wanted.assets)).toEqual([]);
  if (chain.seesEveryWrite) expectSameEnds(found, wanted);
  expect(await faultsOf(store)).toEqual([]);
};

type Content = Awaited<ReturnType<typeof contentOf>>;

const expectSameEnds = (found: Content, wanted: Content): void => {
  expect(found.editions.filter((one) => !wanted.editions.includes(one))).toEqual([]);
  // Accounts of a burnt asset may have been closed while their program was not covered.
  const burnt = wanted.burnt.map(idOf);
  expect(found.burnt.filter((one) => !burnt.includes(idOf(one)))).toEqual([]);
};

const idOf = (asset: string): string => (JSON.parse(asset) as { readonly id: string }).id;

const differences = (found: readonly string[], wanted: readonly string[]): readonly string[] => [
  ...found.filter((one) => !wanted.includes(one)).map((one) => `more: ${one}`),
  ...wanted.filter((one) => !found.includes(one)).map((one) => `less: ${one}`),
];
