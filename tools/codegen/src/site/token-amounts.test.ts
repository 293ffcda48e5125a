// The explorer derives a wallet's token accounts by itself: it must find those that the programs make.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChainWorld } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, test } from "vitest";

const assets = new URL("../../../../packages/docs/src/assets/explore/", import.meta.url).href;
const TOKENS = 12;

test("a wallet's amounts are those of its associated token accounts, of both programs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-amounts-"));
  const file = join(folder, "world.db");
  const world = new ChainWorld({ seed: 9 });
  const owner = world.wallet("alice");
  // Bumps differ from token to token.
  const ids = Array.from({ length: TOKENS }, (_, index) =>
    world.mint({
      kind: "fungible",
      tokenProgram: index % 2 === 0 ? "token" : "token-2022",
      owner,
      supply: 1_500_000n + BigInt(index),
    }),
  );
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const { slot, blockhash, accounts } = world.takeSlot();
  await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
  await store.close();
  const reader = openSqliteReader({ file });
  const server = await startServer({ viewSource: reader, keys: ["explorer"], port: 0 });
  try {
    // What a browser gives the scripts of the page.
    Object.assign(globalThis, { document: { baseURI: `${server.url}/explore/` } });
    const { call, useKey } = await import(`${assets}rpc.js`);
    const { heldAmount } = await import(`${assets}token-amounts.js`);
    useKey("explorer");
    const options = { showFungible: true };
    const { result } = await call("searchAssets", { ownerAddress: owner.address, options });
    const held: unknown[] = [];
    for (const asset of result.items) held.push([asset.id, await heldAmount(owner.address, asset)]);
    expect(held.toSorted()).toEqual(
      ids.map((id, index) => [id, `1.${500_000 + index}`.replace(/0+$/, "")]).toSorted(),
    );
    expect(await heldAmount(world.wallet("bob").address, result.items[0])).toBe(null);
  } finally {
    Reflect.deleteProperty(globalThis, "document");
    await server.stop();
    reader.close();
    rmSync(folder, { recursive: true });
  }
});
