// The accounts of a program, from a node whose chain moves on between its answers.

import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import { SlotRate } from "@lamplight/core";
import { BubblegumTree, ChainSimulation } from "@lamplight/devchain";
import { SimulatedHistory } from "@lamplight/devchain/upstream";
import { afterEach, beforeEach, expect, onTestFailed, test } from "vitest";
import { addressAt, placeOf } from "../place.ts";
import { FillReader } from "./fill-reader.ts";
import { TRANSACTION_MISSED_MAX } from "./limits.ts";
import { TreeHistory } from "./tree-history.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 3);
const { tokenMetadata } = programAddressTexts;
const STEPS = 40;
/** Number of the tree that the chain has. */
const TREE = 1;

let simulation: ChainSimulation;
let node: SimulatedHistory;
let reader: FillReader;
beforeEach(async () => {
  onTestFailed(() => console.error(`repeat with LAMPLIGHT_FORK_SEED=${seed}`));
  simulation = new ChainSimulation({ seed, isChaotic: true });
  node = new SimulatedHistory(simulation);
  const url = await node.start();
  reader = new FillReader({ url, signal: new AbortController().signal, rate: new SlotRate() });
});
afterEach(() => {
  reader.close();
  node.stop();
});

const move = (): void => {
  for (let step = 0; step < STEPS; step += 1) simulation.next();
};

const base = {
  watermark: null,
  chain: { genesisHash: null, keep: async () => {} },
};

const readAll = async (after: string | null, onCount: () => void = () => {}) => {
  const { count, batches } = await reader.read(tokenMetadata, 0, base, after);
  onCount();
  const accounts = [];
  for await (const batch of batches) {
    for (const account of batch.accounts) expect(account.slot).toBeLessThanOrEqual(batch.slot);
    accounts.push(...batch.accounts);
  }
  return { count, accounts };
};

test("each account has the slot at which it was read, and what has ended by then is left out", async () => {
  move();
  const listed = simulation.finalized;
  const before = await readAll(null);
  expect(before.accounts.length).toBe(before.count);
  expect(before.accounts.length).toBeGreaterThan(5);
  const { accounts } = await readAll(null, move);
  expect(simulation.finalized).toBeGreaterThan(listed);
  for (const { slot, programOwner, lamports } of accounts) {
    expect(slot).toBe(simulation.finalized);
    expect([encodeAddress(programOwner), lamports > 0n]).toEqual([tokenMetadata, true]);
  }
  const left = new Set(accounts.map(({ address }) => encodeAddress(address)));
  const now = await readAll(null);
  const born = now.accounts.filter(({ address }) => !left.has(encodeAddress(address)));
  expect(accounts.length + born.length).toBe(now.count);
});

test("a reading goes on after any account, in the order of places", async () => {
  move();
  const { accounts } = await readAll(null);
  const places = accounts.map(({ address }) => placeOf(address));
  expect(places).toEqual(places.toSorted());
  for (const [index, place] of places.entries()) {
    const rest = await readAll(place);
    expect(rest.count).toBe(places.length - index - 1);
    expect(rest.accounts.map(({ address }) => placeOf(address))).toEqual(places.slice(index + 1));
  }
});

test("a program that is read at once comes in the same order", async () => {
  move();
  const { accounts } = await readAll(null);
  const atOnce = await reader.readAtOnce(tokenMetadata, base);
  expect(atOnce.map(({ address }) => placeOf(address))).toEqual(
    accounts.map(({ address }) => placeOf(address)),
  );
});

test("a place is the address, and its first byte is signed", () => {
  const [negative, positive] = [new Uint8Array(32).fill(200), new Uint8Array(32).fill(100)];
  expect(placeOf(negative) < placeOf(positive)).toBe(true);
  expect(addressAt(placeOf(negative))).toEqual(negative);
});

test("a transaction that the node lists and lacks is skipped after some readings of its tree", async () => {
  move();
  const listed = simulation.pathTo(simulation.finalized)!.flatMap(({ transactions }) => transactions);
  const tree = encodeAddress(new BubblegumTree(TREE).address);
  const found: string[] = [];
  const problems: string[] = [];
  const readTree = (history: TreeHistory): Promise<void> =>
    reader.readTree(history, base, {
      emit: (transactions) => void found.push(...transactions.map(({ signature }) => signature)),
      onProblem: ({ message }) => problems.push(message),
    });
  await readTree(new TreeHistory(tree, 0));
  const all = found.splice(0);
  expect(all.length).toBe(listed.length);
  const [lost] = all;
  node.pruned.add(lost!);
  const history = new TreeHistory(tree, 0);
  for (let round = 1; round < TRANSACTION_MISSED_MAX; round += 1)
    await expect(readTree(history)).rejects.toMatchObject({ code: "SOURCE__DOWNLOAD" });
  await readTree(history);
  expect(found).toEqual(all.slice(1));
  expect(problems).toEqual([expect.stringContaining(lost!)]);
});
