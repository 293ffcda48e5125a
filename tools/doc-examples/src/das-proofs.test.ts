// Reads proofs of the sample chain with the clients that people use, unchanged, and builds what a transaction needs of
// them. The trees that they are compared with are hashed by Bubblegum's own library.
import { fetchOrThrow } from "@lamplight/client";
import {
  type DasApiAsset,
  dasApi,
  type DasApiInterface,
  type GetAssetProofRpcResponse,
} from "@metaplex-foundation/digital-asset-standard-api";
import {
  getAssetWithProof,
  getMerkleProofAtIndex,
  getMerkleRoot,
  hash,
  hashLeaf,
  hashLeafV2,
} from "@metaplex-foundation/mpl-bubblegum";
import { type Context, publicKey, publicKeyBytes } from "@metaplex-foundation/umi";
import { createUmi } from "@metaplex-foundation/umi-bundle-defaults";
import { createHelius } from "helius-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoAddresses } from "@lamplight/devchain";
import { type DemoServer, startDemoServer } from "../../codegen/src/examples/demo-server.ts";
import { sampleLeaves } from "../../codegen/src/examples/sample-leaves.ts";

let server: DemoServer;
let url: string;
beforeAll(async () => {
  server = await startDemoServer();
  url = `${server.url}/das/demo`;
});
afterAll(() => server.stop());

const [v1, v2, burnt] = [sampleLeaves.v1, sampleLeaves.v2, sampleLeaves.burnt].map((id) => publicKey(id)) as [
  ReturnType<typeof publicKey>,
  ReturnType<typeof publicKey>,
  ReturnType<typeof publicKey>,
];
const DEPTH = 14;
const emptyLeaf = publicKey(new Uint8Array(32));

/** The plugin extends a type of umi by a path that the compiler does not find from here. */
const umi = () =>
  createUmi(url, { fetch: fetchOrThrow } as object).use(dasApi()) as unknown as Pick<Context, "rpc"> & {
    rpc: DasApiInterface;
  };

const helius = () => createHelius({ apiKey: "", baseUrl: url });

/** The compressed assets of the sample chain that are in a tree. */
const listLeaves = async (): Promise<readonly DasApiAsset[]> => {
  const { items, total } = await umi().rpc.searchAssets({ compressed: true, burnt: false, limit: 1000 });
  expect(items).toHaveLength(total);
  return items;
};

/** The root that a leaf and its proof give, by the hash of Bubblegum's library. */
const rootOf = ({ leaf, proof, node_index: index }: GetAssetProofRpcResponse): string => {
  let node: Uint8Array = publicKeyBytes(leaf);
  for (const [level, other] of proof.entries()) {
    const sibling = publicKeyBytes(other);
    const isRight = Math.floor(index / 2 ** level) % 2 === 1;
    node = hash(isRight ? [sibling, node] : [node, sibling]);
  }
  return publicKey(node);
};

test("Bubblegum's library makes the arguments of an instruction of it, for both versions of leaves", async () => {
  const asset = await getAssetWithProof(umi(), v1, { truncateCanopy: true });
  expect(asset.proof).toHaveLength(DEPTH);
  expect(asset.metadata.collection).toMatchObject({ value: { verified: true } });
  const position = { merkleTree: asset.merkleTree, owner: asset.leafOwner, delegate: asset.leafDelegate };
  const leaf = hashLeaf(umi() as never, { ...position, leafIndex: asset.index, metadata: asset.metadata });
  expect(publicKey(leaf)).toBe(asset.rpcAssetProof.leaf);
  expect(publicKey(asset.root)).toBe(asset.rpcAssetProof.root);
  const second = await getAssetWithProof(umi(), v2, { truncateCanopy: true });
  const secondLeaf = hashLeafV2(umi() as never, {
    merkleTree: second.merkleTree,
    owner: second.leafOwner,
    delegate: second.leafDelegate,
    leafIndex: second.index,
    metadata: second.currentMetadata!,
  });
  expect(publicKey(secondLeaf)).toBe(second.rpcAssetProof.leaf);
});

test("helius-sdk reads them by its own names", async () => {
  const proof = await helius().getAssetProof({ id: v1 });
  expect(proof).toEqual(await umi().rpc.getAssetProof(v1));
  const ids = [v1, burnt, demoAddresses.nft];
  expect(await helius().getAssetProofBatch({ ids })).toEqual({
    [v1]: proof,
    [burnt]: null,
    [demoAddresses.nft]: null,
  });
});

test("what has no proof is refused with the reason", async () => {
  await expect(umi().rpc.getAssetProof(burnt)).rejects.toThrow("was burnt");
  const nft = publicKey(demoAddresses.nft);
  await expect(umi().rpc.getAssetProof(nft)).rejects.toThrow("only leaves of trees have proofs");
  const missing = publicKey(demoAddresses.missing);
  await expect(umi().rpc.getAssetProof(missing)).rejects.toThrow("Asset Not Found");
});

test("umi's DAS plugin reads a proof of every compressed asset, and together they are Bubblegum's own trees", async () => {
  const assets = await listLeaves();
  const proofs = await umi().rpc.getAssetProofs(assets.map(({ id }) => id));
  const trees = new Map<string, { root: string; leaves: (typeof emptyLeaf)[] }>();
  for (const { id, compression } of assets) {
    const proof = proofs[id]!;
    expect([proof.leaf, proof.tree_id]).toEqual([compression.asset_hash, compression.tree]);
    expect([proof.node_index, proof.proof.length]).toEqual([2 ** DEPTH + compression.leaf_id, DEPTH]);
    expect(rootOf(proof)).toBe(proof.root);
    const tree = trees.get(proof.tree_id) ?? { root: proof.root, leaves: [] };
    expect(proof.root).toBe(tree.root);
    while (tree.leaves.length <= compression.leaf_id) tree.leaves.push(emptyLeaf);
    tree.leaves[compression.leaf_id] = proof.leaf;
    trees.set(proof.tree_id, tree);
  }
  expect(assets.map(({ id }) => id)).toEqual(expect.arrayContaining([v1, v2]));
  expect(trees.size).toBe(2);
  // Last, because the hashing keeps the event loop of the server too.
  for (const { root, leaves } of trees.values()) expect(getMerkleRoot(leaves, DEPTH)).toBe(root);
  const { leaves } = trees.get(proofs[v1]!.tree_id)!;
  const index = proofs[v1]!.node_index - 2 ** DEPTH;
  expect(getMerkleProofAtIndex(leaves, DEPTH, index)).toEqual(proofs[v1]!.proof);
});
