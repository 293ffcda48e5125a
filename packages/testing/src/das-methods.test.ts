// The DAS methods of a test chain, with proofs that helius-sdk reads.
import { hashNodes, decodeAddress } from "@lamplight/codecs";
import { createHelius } from "helius-sdk";
import { afterEach, expect, test } from "vitest";
import { createTestChain, type TestAsset, type TestChain } from "./index.ts";

let chain: TestChain | undefined;
afterEach(() => chain?.close());

type Helius = ReturnType<typeof createHelius>;
type Proof = Awaited<ReturnType<Helius["getAssetProof"]>>;

const heliusOf = ({ transport }: TestChain): Helius => createHelius({ transport: () => transport });

/** The root that a leaf and its proof give. */
const rootOf = ({ leaf, proof, node_index: index }: Proof): Uint8Array =>
  proof
    .map(decodeAddress)
    .reduce(
      (node: Uint8Array, sibling: Uint8Array, level: number) =>
        Math.floor(index / 2 ** level) % 2 === 1 ? hashNodes(sibling, node) : hashNodes(node, sibling),
      decodeAddress(leaf),
    );

test("every leaf has a proof, after each operation and over each version", async () => {
  chain = await createTestChain({ methods: ["das"], firstSlot: 1 });
  const [alice, bob] = [chain.wallet("alice"), chain.wallet("bob")];
  const tree = await chain.tree({ depth: 7 });
  const helius = heliusOf(chain);
  const cats = await chain.collection({ kind: "core", name: "Cats" });
  const leaves: TestAsset[] = [];
  for (let count = 0; count < 40; count += 1)
    leaves.push(
      await (count % 2 === 0
        ? chain.mint({ kind: "compressed", owner: alice, tree, name: `Cat ${count}` })
        : chain.mint({ kind: "compressed-v2", owner: alice, tree, name: `Cat ${count}`, collection: cats })),
    );
  await leaves[0]!.transfer(bob);
  await leaves[1]!.burn();
  await leaves[2]!.update({ name: "Tom" });
  const ids = leaves.map(({ id }) => id);
  const proofs = await helius.getAssetProofBatch({ ids });
  const living = ids.filter((id) => id !== leaves[1]!.id);
  expect(proofs[leaves[1]!.id]).toBeNull();
  expect(new Set(living.map((id) => proofs[id]!.root)).size).toBe(1);
  for (const [index, id] of ids.entries()) {
    if (!living.includes(id)) continue;
    const proof = proofs[id]!;
    expect(proof).toMatchObject({ tree_id: tree, node_index: 2 ** 7 + index });
    expect(proof.proof).toHaveLength(7);
    expect(rootOf(proof)).toEqual(decodeAddress(proof.root));
  }
  expect(await helius.getAssetsByOwner({ ownerAddress: bob.address })).toMatchObject({ total: 1 });
});

test("an asset that left its tree has no proof, as any that is not compressed", async () => {
  chain = await createTestChain({ methods: ["das"] });
  const helius = heliusOf(chain);
  const cat = await chain.mint({ kind: "compressed", owner: chain.wallet("alice"), name: "Cat" });
  const dog = await chain.mint({ kind: "compressed", owner: chain.wallet("alice"), name: "Dog" });
  await cat.decompress();
  expect((await helius.getAsset({ id: cat.id })).compression).toMatchObject({ compressed: false });
  await expect(helius.getAssetProof({ id: cat.id })).rejects.toThrow("is of an asset that is not compressed");
  expect(await helius.getAssetProofBatch({ ids: [cat.id, dog.id] })).toMatchObject({
    [cat.id]: null,
    [dog.id]: { leaf: expect.any(String) },
  });
});

test("a proof is of the chain as it is: after a fork and after a restore it is the one of before", async () => {
  chain = await createTestChain({ methods: ["das"], autoFinalize: false, assetCommitment: "processed" });
  const helius = heliusOf(chain);
  const cat = await chain.mint({ kind: "compressed", owner: chain.wallet("alice"), name: "Cat" });
  const before = await helius.getAssetProof({ id: cat.id });
  const snapshot = await chain.snapshot();
  await cat.transfer(chain.wallet("bob"));
  const moved = await helius.getAssetProof({ id: cat.id });
  expect(moved.root).not.toBe(before.root);
  await chain.fork(1);
  expect(await helius.getAssetProof({ id: cat.id })).toEqual(before);
  const dog = await chain.mint({ kind: "compressed", owner: chain.wallet("alice"), name: "Dog" });
  expect((await helius.getAssetProof({ id: cat.id })).proof[0]).toBe(
    (await helius.getAssetProof({ id: dog.id })).leaf,
  );
  await chain.restore(snapshot);
  expect(await helius.getAssetProof({ id: cat.id })).toEqual(before);
});

/** The code of the refusal of a call without parameters. */
const codeOf = async (send: typeof fetch, url: string): Promise<number> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAssetProof", params: {} });
  const headers = { "content-type": "application/json" };
  const answer = await send(url, { method: "POST", headers, body });
  return ((await answer.json()) as { error: { code: number } }).error.code;
};

test("are served at every path but that of the main contract, and only where they are asked for", async () => {
  chain = await createTestChain({ methods: ["das"] });
  const { port, dasUrl } = await chain.listen();
  const base = `http://127.0.0.1:${port}`;
  expect(dasUrl).toBe(`${base}/das/test`);
  for (const path of ["/", "/das/test", "/das/any-key"])
    for (const send of [fetch, chain.fetch])
      expect([path, await codeOf(send, `${base}${path}`)]).toEqual([path, -32602]);
  expect(await codeOf(fetch, `${base}/v3/test`)).toBe(-32601);
  const plain = await createTestChain();
  expect(await codeOf(plain.fetch, `${base}/das/test`)).toBe(-32601);
  expect((await plain.listen()).dasUrl).toBeNull();
  await plain.close();
  await expect(createTestChain({ methods: ["dass" as "das"] })).rejects.toThrow('methods must be ["das"]');
});
