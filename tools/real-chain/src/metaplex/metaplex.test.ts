// The real Metaplex programs, where a folder has them: what they leave is indexed, and answered as their own packages read it.

import { Random } from "@lamplight/devchain";
import { deserializeAssetV1, Key } from "@metaplex-foundation/mpl-core";
import { deserializeMetadata } from "@metaplex-foundation/mpl-token-metadata";
import { lamports as lamportsOf, publicKey, type RpcAccount } from "@metaplex-foundation/umi";
import { type Address, address } from "@solana/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IndexedBank } from "../../test/indexed-bank.ts";
import { LiteBank } from "../bank/lite-bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import { Tally } from "../stories/tally.ts";
import { findPrograms, metaplexPrograms } from "./metaplex-programs.ts";
import { emitMetaplexStory } from "./metaplex-story.ts";

const SEED = 20_261;
const STORIES = 8;
const METADATA_KEY = 4;
const programs = findPrograms();
const isMissing = programs.length < Object.keys(metaplexPrograms).length;
if (isMissing)
  console.warn("SKIPPED the Metaplex programs: LAMPLIGHT_PROGRAMS names no folder that has them all");

describe.skipIf(isMissing)("Metaplex programs", () => {
  const tally = new Tally();
  let chain: IndexedBank;
  beforeAll(async () => {
    const bank = new LiteBank(await seededSigner(new Random(SEED, 0, 0)));
    for (const program of programs) bank.svm.addProgramFromFile(address(program.address), program.file);
    chain = new IndexedBank(bank);
    await chain.open();
    const known = new Set(programs.map((program) => program.address));
    for (let index = 0; index < STORIES; index += 1)
      await emitMetaplexStory(chain, { seed: SEED, index, programs: known }, tally);
  });
  afterAll(() => chain.close());

  const accountsOf = (program: string): readonly RpcAccount[] =>
    chain.bank.svm.getProgramAccounts(address(program)).map((account) => ({
      publicKey: publicKey(account.address),
      owner: publicKey(program),
      lamports: lamportsOf(account.lamports),
      executable: false,
      data: Uint8Array.from(account.data),
    }));

  const getAsset = async (id: string) =>
    (await chain.ask("getAsset", [id])) as {
      readonly burnt: boolean;
      readonly content: { readonly metadata: { readonly name: string }; readonly json_uri: string };
      readonly ownership: { readonly owner: string };
      readonly royalty: { readonly basis_points: number };
    };

  test("every step was executed", () => {
    const refusals = [...tally.reasons].map(([step, reason]) => `${step}: ${reason}`).join("\n");
    expect([...tally.done.keys()].toSorted(), refusals).toEqual(
      expect.arrayContaining([
        "bubblegum: burn",
        "bubblegum: create a tree",
        "bubblegum: delegate",
        "bubblegum: mint",
        "bubblegum: transfer",
        "core: add attributes",
        "core: burn an asset",
        "core: create a collection",
        "core: create an asset",
        "core: transfer an asset",
        "core: update a collection",
        "core: update an asset",
        "metadata: burn a master edition",
        "metadata: burn a programmable NFT",
        "metadata: create a master edition",
        "metadata: create a programmable NFT",
        "metadata: create a token",
        "metadata: rename",
        "metadata: transfer a programmable NFT",
      ]),
    );
  });

  test("Core assets are as their package reads them", async () => {
    let [living, burnt] = [0, 0];
    for (const account of accountsOf(metaplexPrograms.core)) {
      if (account.data.length === 1) {
        burnt += 1;
        expect((await getAsset(account.publicKey)).burnt).toBe(true);
        continue;
      }
      if (account.data[0] !== Key.AssetV1) continue;
      living += 1;
      const { owner, name, uri } = deserializeAssetV1(account);
      expect(await getAsset(account.publicKey)).toMatchObject({
        burnt: false,
        content: { metadata: { name }, json_uri: uri },
        ownership: { owner },
      });
    }
    expect(living).toBeGreaterThan(5);
    expect(burnt).toBeGreaterThan(2);
  });

  test("token metadata are as their package reads them", async () => {
    let compared = 0;
    for (const account of accountsOf(metaplexPrograms.tokenMetadata)) {
      if (account.data[0] !== METADATA_KEY || account.data.length < 100) continue;
      const { mint, name, uri, sellerFeeBasisPoints } = deserializeMetadata(account);
      if (!chain.seen.has(mint as string as Address)) continue;
      compared += 1;
      expect(await getAsset(mint)).toMatchObject({
        content: { metadata: { name }, json_uri: uri },
        royalty: { basis_points: sellerFeeBasisPoints },
      });
    }
    expect(compared).toBeGreaterThan(8);
  });
});
