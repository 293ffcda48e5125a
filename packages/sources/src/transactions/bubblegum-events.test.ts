// Real transactions through reading, walking and proving, against what was decoded from them independently.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type BubblegumCall,
  deriveAssetId,
  encodeAddress,
  findBubblegumCalls,
  proveCall,
} from "@lamplight/codecs";
import type { Transaction } from "@lamplight/core";
import { beforeAll, describe, expect, test } from "vitest";
import { readTransactionFiles } from "./read-transaction-files.ts";

const shared = resolve(process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared"));
const expectedFile = join(shared, "fixtures/expected/bubblegum-events.json");
const isMissing = !existsSync(expectedFile);
if (isMissing)
  console.warn(`skipped: ${expectedFile} is missing, so real Bubblegum transactions are not checked`);

interface ExpectedCall {
  readonly signature: string;
  readonly slot: number;
  readonly instruction: string;
  readonly outer: number;
  readonly depth: number | null;
  readonly changeLogs: readonly object[];
  readonly leaves: readonly object[];
}

const textOf = (call: BubblegumCall): Omit<ExpectedCall, "signature" | "slot" | "depth"> => ({
  instruction: call.instruction?.shape.name ?? "",
  outer: call.outer,
  changeLogs: call.changeLogs.map(({ tree, seq, leafIndex, depth, leaf, merkleRoot }) => ({
    tree: encodeAddress(tree),
    seq,
    leafIndex,
    depth,
    leaf: encodeAddress(leaf),
    root: encodeAddress(merkleRoot),
  })),
  leaves: call.leafEvents.map(({ leaf, leafHash }) => ({
    version: leaf.version,
    id: encodeAddress(leaf.assetId),
    owner: encodeAddress(leaf.assetOwner),
    delegate: encodeAddress(leaf.delegate),
    nonce: leaf.nonce,
    dataHash: encodeAddress(leaf.dataHash),
    creatorHash: encodeAddress(leaf.creatorHash),
    ...(leaf.version === 2
      ? {
          collectionHash: encodeAddress(leaf.collectionHash),
          assetDataHash: encodeAddress(leaf.assetDataHash),
          flags: leaf.flags,
        }
      : {}),
    leafHash: encodeAddress(leafHash),
  })),
});

describe.skipIf(isMissing)("Bubblegum calls of real transactions", () => {
  let expected: readonly ExpectedCall[] = [];
  let transactions: readonly Transaction[] = [];
  beforeAll(async () => {
    expected = JSON.parse(await readFile(expectedFile, "utf8")) as readonly ExpectedCall[];
    const folders = [
      "das-cases/cnft-v1",
      "das-cases/cnft-v2",
      "das-cases/cnft-nested",
      "das-cases/search-token-type",
    ];
    const read: Transaction[] = [];
    const paths = [...folders, "fixtures/bubblegum-tx"].map((folder) => join(shared, folder));
    // The case files and accounts among them are no transactions: what is bad here is expected to be.
    for await (const batch of readTransactionFiles(paths, { onBad: () => undefined }))
      read.push(...batch.transactions);
    transactions = read;
  });

  test("decode as expected, from every form they come in", () => {
    const seen = new Set<string>();
    for (const transaction of transactions) {
      const wanted = expected.filter(({ signature }) => signature === transaction.signature);
      if (wanted.length === 0) continue;
      seen.add(transaction.signature);
      const source = new Set(wanted.map(({ slot }) => slot));
      expect([...source]).toEqual([transaction.slot]);
      const calls = findBubblegumCalls(transaction);
      const unique = new Map(wanted.map((each) => [JSON.stringify([each.outer, each.changeLogs]), each]));
      expect(calls.map(textOf)).toEqual(
        [...unique.values()].map(({ instruction, outer, changeLogs, leaves }) => ({
          instruction,
          outer,
          changeLogs,
          leaves,
        })),
      );
    }
    expect([...seen].toSorted()).toEqual([...new Set(expected.map(({ signature }) => signature))].toSorted());
  });

  test("prove without a fault, metadata included", () => {
    const faults: string[] = [];
    let metadata = 0;
    for (const transaction of transactions) {
      for (const call of findBubblegumCalls(transaction)) {
        const proved = proveCall(call);
        faults.push(
          ...proved.faults.map(
            (fault) => `${transaction.signature} ${call.instruction?.shape.name} ${fault}`,
          ),
        );
        if (proved.change?.kind === "leaf" && proved.change.metadata !== null) metadata += 1;
      }
    }
    expect(faults).toEqual([]);
    expect(metadata).toBeGreaterThanOrEqual(40);
  });

  test("carry the asset ids that tree and nonce give", () => {
    for (const transaction of transactions) {
      for (const call of findBubblegumCalls(transaction)) {
        const { change } = proveCall(call);
        if (change?.kind === "leaf") expect(deriveAssetId(change.tree, change.nonce)).toEqual(change.assetId);
      }
    }
  });

  test("give the same change when the leaf event is lost, wherever the instruction reports enough", () => {
    const rebuilt = new Set<string>();
    for (const transaction of transactions) {
      for (const call of findBubblegumCalls(transaction)) {
        const proved = proveCall(call);
        if (proved.change?.kind !== "leaf" || call.leafEvents.length === 0) continue;
        expect(proveCall({ ...call, leafEvents: [] })).toEqual(proved);
        rebuilt.add(call.instruction?.shape.name ?? "");
      }
    }
    expect(rebuilt.size).toBeGreaterThanOrEqual(15);
  });
});
