import { expect, test } from "vitest";

import { randomOf } from "../../test/random.ts";
import { clearCells, createCellsMemory, SharedCells } from "../gate/shared-cells.ts";
import { ConnectionCounts } from "./connection-counts.ts";

const SEED = Number(process.env["LAMPLIGHT_FUZZ_SEED"] ?? 1);

test.each([1, 3])(`bounds the connections of %i workers together (seed ${SEED})`, (workers) => {
  const random = randomOf(SEED);
  const limits = { connections: 300, connectionsPerAddress: 55 };
  const memory = createCellsMemory(limits.connections, workers);
  const all = Array.from(
    { length: workers },
    (_, worker) => new ConnectionCounts(new SharedCells(memory, worker), limits),
  );
  const open: (readonly [worker: number, address: string])[] = [];
  const ofAddress = (address: string): number => open.filter(([, one]) => one === address).length;
  let refused = 0;
  for (let step = 0; step < 20_000; step++) {
    if (random(3) === 0 && open.length > 0) {
      const [[worker, address] = [0, ""]] = open.splice(random(open.length), 1);
      all[worker]!.leaveAddress(address);
      all[worker]!.leave();
      continue;
    }
    const worker = random(workers);
    const address = `192.0.2.${random(6)}`;
    const enters = all[worker]!.enter();
    expect(enters, `seed ${SEED}`).toBe(open.length < limits.connections);
    if (!enters) continue;
    const fits = all[worker]!.enterAddress(address);
    expect(fits, `seed ${SEED}`).toBe(ofAddress(address) < limits.connectionsPerAddress);
    if (fits) open.push([worker, address]);
    else {
      refused++;
      all[worker]!.leave();
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test("what a worker held that is gone is free again", () => {
  const limits = { connections: 10, connectionsPerAddress: 10 };
  const memory = createCellsMemory(limits.connections, 2);
  const [first, second] = [0, 1].map(
    (worker) => new ConnectionCounts(new SharedCells(memory, worker), limits),
  ) as [ConnectionCounts, ConnectionCounts];
  for (const one of [first, first, first, second])
    expect([one.enter(), one.enterAddress("a")]).toEqual([true, true]);
  clearCells(memory, 0);
  for (let more = 0; more < 9; more++)
    expect([second.enter(), second.enterAddress("a")]).toEqual([true, true]);
  expect([second.enter(), second.enterAddress("a"), second.enterAddress("b")]).toEqual([false, false, true]);
});
