// A chain that stands still after the replay of a stream: no later slot proves what the replay brought, so the source asks
// for it again.

import type { ChainEvent, Slot } from "@lamplight/core";
import { beforeEach, expect, test } from "vitest";
import {
  finalizedAt,
  follow,
  follower,
  simulation,
  source,
  stream,
  until,
  upstream,
  useStream,
} from "../../test/yellowstone-stream.ts";

useStream();

let root: Slot;
let branch: Slot;
/** A sibling of `branch`, by more slots above it than the last ones that are asked for again anyway. */
let fork: Slot;

beforeEach(() => {
  root = simulation.genesis.slot;
  [branch, fork] = [root + 1, root + 6];
  stream.replay = [...ended(branch, root), ...ended(fork, root)];
});

const hashOf = (slot: Slot): string => (slot === root ? simulation.genesis.blockhash : `h${slot}`);

const ended = (slot: Slot, parent: Slot): readonly ChainEvent[] => [
  { kind: "block", slot, parent, blockhash: hashOf(slot), parentBlockhash: hashOf(parent) },
  { kind: "slot", slot, parent, status: "complete" },
];

const status = (slot: Slot, word: "createdBank" | "confirmed" | "finalized", parent: Slot | null = null) =>
  ({ kind: "slot", slot, parent, status: word }) as const;

const agreed = (slot: Slot): readonly ChainEvent[] => [status(slot, "confirmed"), status(slot, "finalized")];

const expectOneStream = (): void => {
  expect(source.state.connections).toBe(1);
  expect(follower.state.gap).toBe(null);
};

test("the replay ends with the finalized slot, below a fork that goes higher", async () => {
  stream.replay = [...stream.replay!, ...agreed(branch)];
  follow();
  await finalizedAt(branch);
  expectOneStream();
});

test("that slot is finalized after the fork was asked for again", async () => {
  follow();
  await until(() => upstream.requests.length === 2);
  upstream.emit(agreed(branch));
  await finalizedAt(branch);
  expectOneStream();
});

test("the finalized slot starts during the stream, on a replayed one below a fork that goes higher", async () => {
  follow();
  await until(() => upstream.requests.length === 2);
  upstream.emit([status(fork + 1, "createdBank", branch), ...ended(fork + 1, branch), ...agreed(fork + 1)]);
  await finalizedAt(fork + 1);
  expectOneStream();
});
