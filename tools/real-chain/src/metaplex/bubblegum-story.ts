import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import { getMerkleTreeSize } from "@metaplex-foundation/mpl-account-compression";
import {
  burn,
  createTreeConfig,
  delegate,
  findLeafAssetIdPda,
  getMerkleRoot,
  hashLeaf,
  hashMetadataCreators,
  hashMetadataData,
  type MetadataArgsArgs,
  mintV1,
  transfer,
} from "@metaplex-foundation/mpl-bubblegum";
import { none, type PublicKey } from "@metaplex-foundation/umi";
import type { Address } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import { seededSigner } from "../bank/seeded-signer.ts";
import type { MetaplexCast } from "./metaplex-cast.ts";
import { keyOf } from "./umi-instructions.ts";

const DEPTH = 3;
const BUFFER_SIZE = 8;
/** The canopy is the whole tree, so that no proof has to be sent. */
const space = getMerkleTreeSize(DEPTH, BUFFER_SIZE, DEPTH);
const compression = "cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK" as Address;
const LEAVES_OF_STORY = 4;

const keyOfBytes = (bytes: Uint8Array): PublicKey => encodeAddress(bytes) as PublicKey;

/** A Merkle tree whose leaves are minted, delegated, given away and burnt. */
export const emitBubblegumStory = async (cast: MetaplexCast): Promise<readonly Address[]> => {
  const { bank, umi, random, boss, friend, attempt } = cast;
  const tree = await seededSigner(random);
  const merkleTree = keyOf(tree);
  const create = getCreateAccountInstruction({
    payer: bank.payer,
    newAccount: tree,
    lamports: await bank.rentFor(space),
    space,
    programAddress: compression,
  });
  const config = createTreeConfig(umi.context, { merkleTree, maxDepth: DEPTH, maxBufferSize: BUFFER_SIZE });
  if (!(await attempt("bubblegum: create a tree", config, [create]))) return [];
  const leaves: Uint8Array[] = [];
  const addresses: Address[] = [tree.address];
  for (let index = 0; index < LEAVES_OF_STORY; index += 1) {
    const metadata: MetadataArgsArgs = {
      name: `Leaf ${index}`,
      symbol: "LEAF",
      uri: `https://example.com/leaf/${index}.json`,
      sellerFeeBasisPoints: random.below(1000),
      collection: none(),
      creators: [{ address: keyOf(boss), verified: false, share: 100 }],
    };
    const leaf = { merkleTree, leafIndex: index, metadata };
    if (
      !(await attempt(
        "bubblegum: mint",
        mintV1(umi.context, { leafOwner: keyOf(boss), merkleTree, metadata }),
      ))
    )
      break;
    leaves.push(hashLeaf(umi.context, { ...leaf, owner: keyOf(boss), delegate: keyOf(boss) }));
    addresses.push(findLeafAssetIdPda(umi.context, { merkleTree, leafIndex: index })[0] as string as Address);
    const now = () => ({
      root: decodeAddress(getMerkleRoot(leaves.map(keyOfBytes), DEPTH)),
      dataHash: hashMetadataData(metadata),
      creatorHash: hashMetadataCreators(metadata.creators),
      nonce: index,
      index,
      merkleTree,
      proof: [],
    });
    const [owner, nobody] = [umi.signer(boss), new Uint8Array(32)];
    if (random.percent(40)) {
      const parts = { leafOwner: owner, previousLeafDelegate: keyOf(boss), newLeafDelegate: keyOf(friend) };
      if (await attempt("bubblegum: delegate", delegate(umi.context, { ...now(), ...parts })))
        leaves[index] = hashLeaf(umi.context, { ...leaf, owner: keyOf(boss), delegate: keyOf(friend) });
    } else if (random.percent(50)) {
      if (await attempt("bubblegum: burn", burn(umi.context, { ...now(), leafOwner: owner })))
        leaves[index] = nobody;
    } else if (
      await attempt(
        "bubblegum: transfer",
        transfer(umi.context, { ...now(), leafOwner: owner, newLeafOwner: keyOf(friend) }),
      )
    )
      leaves[index] = hashLeaf(umi.context, { ...leaf, owner: keyOf(friend), delegate: keyOf(friend) });
  }
  return addresses;
};
