// Reads proofs with the clients that people use, unchanged, and builds what a transaction needs of them. The tree that they
// are compared with is hashed by Bubblegum's own library.
import { fetchOrThrow } from "@lamplight/client";
import { encodeAddress } from "@lamplight/codecs";
import { dasApi, type DasApiInterface } from "@metaplex-foundation/digital-asset-standard-api";
import {
  getAssetWithProof,
  getMerkleProofAtIndex,
  getMerkleRoot,
  hashLeaf,
} from "@metaplex-foundation/mpl-bubblegum";
import { type Context, publicKey, publicKeyBytes } from "@metaplex-foundation/umi";
import { createUmi } from "@metaplex-foundation/umi-bundle-defaults";
import { createHelius } from "helius-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, exampleTree, startDemoServer } from "../../codegen/src/examples/demo-server.ts";

let server: DemoServer;
let url: string;
beforeAll(async () => {
  server = await startDemoServer("trees");
  url = `${server.url}/das/demo`;
});
afterAll(() => server.stop());

/** Leaf 1 was burnt; leaf 2 is of the second schema. */
const [first, burnt, second] = [0, 1, 2].map((nonce) =>
  publicKey(encodeAddress(exampleTree.idOf(nonce))),
) as [ReturnType<typeof publicKey>, ReturnType<typeof publicKey>, ReturnType<typeof publicKey>];
const DEPTH = 14;
const emptyLeaf = publicKey(new Uint8Array(32));

/** The plugin extends a type of umi by a path that the compiler does not find from here. */
const umi = () =>
  createUmi(url, { fetch: fetchOrThrow } as object).use(dasApi()) as unknown as Pick<Context, "rpc"> & {
    rpc: DasApiInterface;
  };

const helius = () => createHelius({ apiKey: "", baseUrl: url });

test("Bubblegum's library makes the arguments of an instruction of it", async () => {
  const asset = await getAssetWithProof(umi(), first, { truncateCanopy: true });
  expect(asset).toMatchObject({ index: 0, nonce: 0, merkleTree: encodeAddress(exampleTree.address) });
  expect(asset.proof).toHaveLength(DEPTH);
  const leaf = hashLeaf(umi() as never, {
    merkleTree: asset.merkleTree,
    owner: asset.leafOwner,
    delegate: asset.leafDelegate,
    leafIndex: asset.index,
    metadata: asset.metadata,
  });
  expect(publicKey(leaf)).toBe(asset.rpcAssetProof.leaf);
  expect(publicKey(asset.root)).toBe(asset.rpcAssetProof.root);
  expect((await getAssetWithProof(umi(), second)).index).toBe(2);
  expect(publicKeyBytes(asset.rpcAssetProof.root)).toEqual(asset.root);
});

test("helius-sdk reads them by its own names", async () => {
  const proof = await helius().getAssetProof({ id: first });
  expect(proof).toEqual(await umi().rpc.getAssetProof(first));
  expect(await helius().getAssetProofBatch({ ids: [first, burnt] })).toEqual({
    [first]: proof,
    [burnt]: null,
  });
});

test("umi's DAS plugin reads the proofs of Bubblegum's own tree", async () => {
  const one = await umi().rpc.getAssetProof(first);
  const other = await umi().rpc.getAssetProof(second);
  expect(await umi().rpc.getAssetProofs([first, burnt, second])).toEqual({
    [first]: one,
    [burnt]: null,
    [second]: other,
  });
  await expect(umi().rpc.getAssetProof(burnt)).rejects.toThrow("was burnt");
  // Last, because it keeps the event loop of the server too.
  const leaves = [one.leaf, emptyLeaf, other.leaf];
  for (const [index, proof] of [
    [0, one],
    [2, other],
  ] as const)
    expect(proof).toEqual({
      root: getMerkleRoot(leaves, DEPTH),
      proof: getMerkleProofAtIndex(leaves, DEPTH, index),
      node_index: 2 ** DEPTH + index,
      leaf: leaves[index],
      tree_id: encodeAddress(exampleTree.address),
    });
});
