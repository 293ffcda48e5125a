// Against a real server with a short chain, whose answers come from nodes that are behind, or of another fork.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { encodeAddress } from "@lamplight/codecs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GapReader, type GapReaderOptions } from "./gap-reader.ts";
import { KEPT_ACCOUNT_BYTES } from "./limits.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [unknown, unknown?];
}

let server: Server;
let stopping: AbortController;
let gaps: GapReader;
/** The node's newest block, which is also where it reads accounts. */
let newest: number;
/** Appended to every hash: another text is another fork. */
let fork: string;
/** Slots of the blocks that were asked for. */
let asked: number[];
/** A slot whose block is listed, and absent. */
let lacking: number | null;

/** One account is written in each slot. */
const written = (slot: number): string => encodeAddress(new Uint8Array(32).fill(slot));
const hashOf = (slot: number): string => `hash ${slot}${fork}`;

const blockOf = (slot: number): object => ({
  blockhash: hashOf(slot),
  previousBlockhash: hashOf(slot - 1),
  parentSlot: slot - 1,
  transactions: [],
  rewards: [{ pubkey: written(slot) }],
});

const account = { lamports: 1, owner: written(200), executable: false, rentEpoch: 0, data: ["", "base64"] };

const answer = ({ method, params }: Call): unknown => {
  switch (method) {
    case "getSlot":
      return newest;
    case "getBlocks": {
      const [from, to] = params as readonly [number, number];
      const count = Math.max(0, Math.min(to, newest) - from + 1);
      return Array.from({ length: count }, (_, index) => from + index);
    }
    case "getBlock":
      asked.push(params[0] as number);
      return params[0] === lacking ? null : blockOf(params[0] as number);
    default:
      return { context: { slot: newest }, value: (params[0] as readonly string[]).map(() => account) };
  }
};

const openReader = (options: Pick<GapReaderOptions, "select" | "bytesMax"> = {}): GapReader => {
  const { port } = server.address() as AddressInfo;
  return new GapReader({
    url: `http://127.0.0.1:${port}`,
    signal: stopping.signal,
    retryMs: 1,
    ...options,
  });
};

beforeEach(async () => {
  [newest, fork, asked, lacking] = [20, "", [], null];
  server = createServer(async (request, response) => {
    const call = (await json(request)) as Call;
    response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: answer(call) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stopping = new AbortController();
  gaps = openReader();
});
afterEach(async () => {
  stopping.abort();
  gaps.close();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const gapUpTo = (through: number) => ({ finalizedSlot: 10, finalizedBlockhash: "hash 10", through });

test("a block that the node lists and does not have is named", async () => {
  lacking = 12;
  await expect(gaps.read(gapUpTo(13))).rejects.toThrow("the node lists block 12, but does not have it");
});

describe("what was read of a gap", () => {
  test("is gone on from, though a node that is behind answered between", async () => {
    await gaps.read(gapUpTo(20));
    await expect(gaps.read(gapUpTo(30))).rejects.toThrow("the node has no finalized block 30");
    expect(gaps.firstOf(gapUpTo(30))).toBe(21);
    newest = 30;
    asked = [];
    const { accounts } = await gaps.read(gapUpTo(30));
    expect(asked.toSorted((a, b) => a - b)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    const addresses = new Set(accounts.map(({ address }) => encodeAddress(address)));
    for (let slot = 11; slot <= 30; slot += 1) expect(addresses).toContain(written(slot));
  });

  test("is read again as far as it changes: the accounts, and no block", async () => {
    const before = await gaps.read(gapUpTo(20));
    asked = [];
    newest = 25;
    const after = await gaps.read(gapUpTo(20));
    expect(asked).toEqual([]);
    expect(after).toMatchObject({ through: 20, blockhash: "hash 20", slot: 25 });
    expect(after.accounts.length).toBe(before.accounts.length);
    expect(new Set(after.accounts.map(({ slot }) => slot))).toEqual(new Set([25]));
  });

  test("is of no use when the chain goes on from another block", async () => {
    await gaps.read({ ...gapUpTo(20), finalizedBlockhash: null });
    [newest, fork] = [30, "'"];
    const gap = { ...gapUpTo(30), finalizedBlockhash: null };
    await expect(gaps.read(gap)).rejects.toThrow("is not a child of our block at slot 20");
    expect(gaps.firstOf(gap)).toBe(11);
    await expect(gaps.read(gap)).resolves.toMatchObject({ blockhash: "hash 30'" });
  });

  test("is kept as far as it is selected, page by page, until it is forgotten", async () => {
    let isWanted = true;
    gaps.close();
    gaps = openReader({
      select: async (accounts) =>
        accounts.filter(
          ({ address }) => isWanted && [written(11), written(12)].includes(encodeAddress(address)),
        ),
    });
    expect((await gaps.read(gapUpTo(20))).accounts.length).toBe(2);
    expect(gaps.keptAccounts).toBe(2);
    // Accounts that are not needed any more are not reported again.
    isWanted = false;
    expect((await gaps.read(gapUpTo(20))).accounts).toEqual([]);
    gaps.forget();
    expect(gaps.firstOf(gapUpTo(20))).toBe(11);
  });

  test("is given up where it takes too many bytes", async () => {
    gaps.close();
    gaps = openReader({ bytesMax: 4 * KEPT_ACCOUNT_BYTES });
    await expect(gaps.read(gapUpTo(20))).rejects.toThrow(`more than ${4 * KEPT_ACCOUNT_BYTES} bytes`);
    expect(gaps.keptAccounts).toBe(0);
  });
});
