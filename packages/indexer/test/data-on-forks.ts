// Large data of accounts on random forks, at every commitment. Most slots leave them as they are.

import { type Account, reads, type ReadView, type Slot } from "@lamplight/core";
import type { Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { SHARED_DATA_BYTES_MIN } from "../src/overlay/limits.ts";
import { account, closedAt, key } from "./encode-accounts.ts";
import { type ForksOptions, walkForks } from "./walk-forks.ts";

const ACCOUNTS = 4;

/** Numbers of their data by those of the accounts; null = closed. */
type Model = ReadonlyMap<number, number | null>;

const addressOf = (index: number): Uint8Array => key(100 + index);

/** Data that no compression makes smaller, a little above and below the bound. */
const dataOf = (random: Random): readonly Uint8Array[] =>
  [0, 1, -1].map((more) =>
    Uint8Array.from({ length: SHARED_DATA_BYTES_MIN + more }, () => random.below(256)),
  );

/** After each slot of random forks, every account has its data. */
export const expectDataOnForks = (options: ForksOptions, random: Random): Promise<void> => {
  const data = dataOf(random);
  const write = (own: Random, slot: Slot, before: Model) => {
    const model = new Map(before);
    const written = new Map<number, Account>();
    for (let count = own.between(1, 3); count > 0; count -= 1) {
      const index = own.below(ACCOUNTS);
      const isSame = own.percent(70);
      const number = isSame ? (model.get(index) ?? 0) : own.below(data.length);
      const living = account(addressOf(index), key(1), data[number]!, slot);
      const isClosed = own.percent(10);
      model.set(index, isClosed ? null : number);
      written.set(index, isClosed ? closedAt(living, slot) : living);
    }
    return { accounts: [...written.values()], model };
  };
  const expectView = async (view: ReadView, model: Model): Promise<void> => {
    for (const [index, number] of model) {
      const found = await view.read(reads.account(addressOf(index)));
      if (number === null) expect(found).toBeNull();
      else expect(Buffer.compare(found!.data, data[number]!)).toBe(0);
    }
  };
  return walkForks(options, { nothing: new Map(), before: [], write, expectView });
};
