// `lamplight explain` over PostgreSQL, with slots that another process publishes above the finalized one.
import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { Account, UnfinalizedWriter } from "@lamplight/core";
import { demoAddresses, demoChain } from "@lamplight/devchain";
import { createIndexer, ForkOverlay } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import type { ExplainedCall } from "../explain/explain-call.ts";

const { nft } = demoAddresses;

describePostgres("lamplight explain", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test("derives an asset from published slots while they are written, and from finalized ones alone", async () => {
    const accounts = [...demoChain()].flatMap((batch) => batch.accounts);
    const finalized = Math.max(...accounts.map(({ slot }) => slot));
    const slot = finalized + 2;
    const store = await openStoreForWriting(postgres.url, { create: true });
    const reader = await openStoreForReading(postgres.url);
    try {
      await store.writeCoverage({ kind: "whole" });
      await createIndexer(store).applyAccounts(accounts, { slot: finalized, blockhash: null });
      const overlay = await ForkOverlay.open({
        store,
        viewSource: reader,
        shared: store as unknown as UnfinalizedWriter,
      });
      await overlay.add({
        slot,
        parent: finalized,
        blockhash: null,
        accounts: [renamed(accounts, slot)],
        transactions: [],
      });
      await overlay.confirm(slot);
      const explain = async (...args: readonly string[]): Promise<ExplainedCall> => {
        const all = ["explain", "getAsset", nft, "--store", postgres.url, "--json", ...args];
        const { exitCode, stdout, stderr } = await runCommand(all);
        expect([exitCode, stderr]).toEqual([0, ""]);
        return JSON.parse(stdout) as ExplainedCall;
      };
      const confirmed = await explain();
      expect(confirmed.at).toEqual({ commitment: "confirmed", slot, finalizedSlot: finalized });
      expect(confirmed.derivation).toMatchObject({
        asset: { updatedSlot: slot, document: { content: { metadata: { name: "Lantern @0" } } } },
        differences: [],
      });
      expect(confirmed.statements).toEqual([
        { round: 1, sql: expect.stringContaining("LEFT JOIN asset_document") },
      ]);
      const { stdout: text } = await runCommand(["explain", "getAsset", nft, "--store", postgres.url]);
      expect(text).toContain("\nsent to the database, by round\n    1      SELECT head.slot,");
      const metadata = confirmed.derivation?.parts.find(({ part }) => part === "metadata");
      expect(metadata?.found).toMatchObject({ slot });
      const below = await explain("--commitment", "finalized");
      expect(below.at).toEqual({ commitment: "finalized", slot: finalized, finalizedSlot: finalized });
      expect(below.derivation).toMatchObject({
        asset: { document: { content: { metadata: { name: "Lantern #0" } } } },
        differences: [],
      });
    } finally {
      reader.close();
      await store.close();
    }
  });
});

/** The metadata account of the NFT with one letter of its name changed. */
const renamed = (accounts: readonly Account[], slot: number): Account => {
  const mint = Buffer.from(decodeAddress(nft));
  const known = accounts.find(
    ({ data, address }) =>
      Buffer.from(data).includes("Lantern #0") &&
      Buffer.from(data).includes(mint) &&
      encodeAddress(address) !== nft,
  )!;
  const data = Buffer.from(known.data);
  data.write("@", data.indexOf("Lantern #0") + "Lantern ".length);
  return { ...known, data: Uint8Array.from(data), slot };
};
