import { expect, test } from "vitest";
import { isNonCirculatingAt } from "./non-circulating.ts";

const clock = { unixTimestamp: 100n, epoch: 5n };

test.each([
  [100n, 5n, false, false],
  [101n, 0n, false, true],
  [0n, 6n, false, true],
  [-1n, 0n, false, false],
  [0n, 2n ** 64n - 1n, false, true],
  [0n, 0n, true, true],
])("a lock until %d and epoch %d, withdrawer listed %s: held %s", (timestamp, epoch, listed, held) => {
  const hold = { lockupTimestamp: timestamp, lockupEpoch: epoch, listedWithdrawer: listed };
  expect(isNonCirculatingAt(hold, clock)).toBe(held);
});
