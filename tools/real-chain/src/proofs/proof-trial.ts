// Changes leaves of trees by the real programs, with proofs that an index answered. The changes since a proof was read decide
// whether the programs must accept it.

import { type AssetWithProof, findLeafAssetIdPda, mintV1, mintV2 } from "@metaplex-foundation/mpl-bubblegum";
import { type PublicKey, publicKey, publicKeyBytes, type Signer } from "@metaplex-foundation/umi";
import { TransactionRefused } from "../bank/bank.ts";
import { keyOf } from "../metaplex/umi-instructions.ts";
import { decompress, restore } from "./end-redemption.ts";
import { type LeafStep, leafSteps } from "./leaf-steps.ts";
import type { ProofCast } from "./proof-cast.ts";
import { createTree, type TreeForm } from "./tree-form.ts";

/** Reads an asset and its proof. The nodes that the account's canopy has are left out. */
export type ReadProof = (assetId: PublicKey) => Promise<AssetWithProof>;

interface Leaf {
  readonly id: PublicKey;
  /** Its owner and its delegate; null after it was burnt or redeemed. */
  holders: string | null;
}

interface Tree {
  readonly form: TreeForm;
  readonly address: PublicKey;
  readonly leaves: Leaf[];
  /** Changes of all its leaves. */
  changes: number;
}

/** A proof, with the state that it was read of. */
interface HeldProof {
  readonly tree: Tree;
  readonly leaf: Leaf;
  readonly asset: AssetWithProof;
  readonly holders: string | null;
  readonly treeChanges: number;
}

/** The number of answers of each kind. */
export interface Verdicts {
  minted: number;
  decompressed: number;
  /** Redeemed leaves that were restored. */
  restored: number;
  /** Proofs of the tree's newest state. */
  newestAccepted: number;
  /** Proofs that the tree has changed since, by fewer changes than it remembers roots. */
  olderAccepted: number;
  /** The most changes that one of these was behind. */
  oldestAccepted: number;
  /** Proofs in which one bit was turned. */
  wrongRefused: number;
  /** Proofs of leaves that changed since. */
  changedRefused: number;
  /** Proofs whose root the tree has forgotten. The programs may still accept these. */
  forgotten: number;
}

const LEAVES_MAX = 400;
const HELD_MAX = 60;
/** The compression programs log this where a proof does not hold. */
const ofProof = "Error using concurrent merkle tree";

export class ProofTrial {
  readonly verdicts: Verdicts = {
    minted: 0,
    decompressed: 0,
    restored: 0,
    newestAccepted: 0,
    olderAccepted: 0,
    oldestAccepted: 0,
    wrongRefused: 0,
    changedRefused: 0,
    forgotten: 0,
  };
  readonly #cast: ProofCast;
  readonly #readProof: ReadProof;
  readonly #trees: Tree[] = [];
  readonly #held: HeldProof[] = [];

  constructor(cast: ProofCast, readProof: ReadProof) {
    this.#cast = cast;
    this.#readProof = readProof;
  }

  /** @throws Error where a program answers otherwise than it must */
  async run(forms: readonly TreeForm[], steps: number): Promise<void> {
    for (const form of forms) this.#trees.push(await this.#createTree(form));
    for (let step = 0; step < steps; step += 1) await this.#step();
    for (const tree of this.#trees)
      for (const leaf of livingOf(tree)) await this.#use(await this.#read(tree, leaf), "verify");
  }

  async #createTree(form: TreeForm): Promise<Tree> {
    return { form, address: await createTree(this.#cast, form), leaves: [], changes: 0 };
  }

  async #step(): Promise<void> {
    const { random } = this.#cast;
    const place = random.below(this.#trees.length);
    const tree = this.#trees[place]!;
    const living = livingOf(tree);
    const isFull = tree.leaves.length >= Math.min(LEAVES_MAX, 2 ** tree.form.depth);
    if (living.length === 0 && isFull) this.#trees[place] = await this.#createTree(tree.form);
    else if (living.length === 0 || (!isFull && random.percent(30))) await this.#mint(tree);
    else await this.#tryProof(await this.#read(tree, random.pick(living as [Leaf, ...Leaf[]])));
  }

  /** Uses a proof that was just read, or keeps it and uses an older one. */
  async #tryProof(proof: HeldProof): Promise<void> {
    const { random } = this.#cast;
    if (random.percent(15)) return this.#useWrong(proof);
    if (random.percent(50)) return this.#use(proof);
    this.#held.push(proof);
    if (this.#held.length > HELD_MAX || random.percent(50))
      await this.#use(this.#held.splice(random.below(this.#held.length), 1)[0]!);
  }

  async #read(tree: Tree, leaf: Leaf): Promise<HeldProof> {
    const asset = await this.#readProof(leaf.id);
    return { tree, leaf, asset, holders: leaf.holders, treeChanges: tree.changes };
  }

  async #mint(tree: Tree): Promise<void> {
    const { umi, random, send } = this.#cast;
    const leafIndex = tree.leaves.length;
    const leafOwner = this.#pickOwner();
    const metadata = {
      name: `Leaf ${leafIndex}`,
      symbol: "LEAF",
      uri: `https://example.com/leaf/${leafIndex}.json`,
      sellerFeeBasisPoints: random.below(1000),
      collection: null,
      creators: [],
    };
    const merkleTree = tree.address;
    await send((tree.form.version === 1 ? mintV1 : mintV2)(umi.context, { leafOwner, merkleTree, metadata }));
    const [id] = findLeafAssetIdPda(umi.context, { merkleTree, leafIndex });
    tree.leaves.push({ id, holders: `${leafOwner} ${leafOwner}` });
    tree.changes += 1;
    this.verdicts.minted += 1;
  }

  /** A proof with a turned bit. It was just read, so that the programs replace none of its nodes by newer ones. */
  async #useWrong(proof: HeldProof): Promise<void> {
    const { random } = this.#cast;
    const nodes = proof.asset.proof;
    if (nodes.length === 0) return;
    const at = random.below(nodes.length);
    const asset = { ...proof.asset, proof: nodes.with(at, turnBit(nodes[at]!, random.below(256))) };
    if (await this.#isAccepted({ ...proof, asset }, this.#pickStep(proof.tree), this.#pickOwner()))
      throw new Error(`a wrong proof of ${proof.leaf.id} in ${describe(proof.tree)} was accepted`);
    this.verdicts.wrongRefused += 1;
  }

  async #use(proof: HeldProof, step = this.#pickStep(proof.tree)): Promise<void> {
    const { tree, leaf } = proof;
    const behind = tree.changes - proof.treeChanges;
    const isChanged = leaf.holders !== proof.holders;
    const isForgotten = behind >= tree.form.bufferSize;
    const to = this.#pickOwner();
    const isAccepted = await this.#isAccepted(proof, step, to);
    if (isAccepted ? isChanged : !isChanged && !isForgotten) {
      const verdict = isAccepted ? "accepted" : "refused";
      throw new Error(`${step} of ${leaf.id} in ${describe(tree)}, ${behind} changes later, was ${verdict}`);
    }
    this.#count(behind, isChanged, isForgotten);
    if (!isAccepted || step === "verify") return;
    tree.changes += 1;
    leaf.holders = holdersAfter(step, proof.asset.leafOwner, to);
    if (step === "redeem") await this.#endRedemption(proof);
  }

  #count(behind: number, isChanged: boolean, isForgotten: boolean): void {
    const { verdicts } = this;
    if (isChanged) verdicts.changedRefused += 1;
    else if (isForgotten) verdicts.forgotten += 1;
    else if (behind === 0) verdicts.newestAccepted += 1;
    else {
      verdicts.olderAccepted += 1;
      verdicts.oldestAccepted = Math.max(verdicts.oldestAccepted, behind);
    }
  }

  async #isAccepted({ tree, asset }: HeldProof, step: LeafStep, to: PublicKey): Promise<boolean> {
    const { umi, send } = this.#cast;
    const make = leafSteps[tree.form.version][step]!;
    try {
      await send(make({ context: umi.context, asset, owner: this.#signerOf(asset), to }));
      return true;
    } catch (error) {
      if (error instanceof TransactionRefused && error.message.includes(ofProof)) return false;
      throw error;
    }
  }

  /** Mints the token, or cancels the redemption by a proof of the empty leaf. */
  async #endRedemption({ asset, leaf, tree, holders }: HeldProof): Promise<void> {
    const { umi, random, send } = this.#cast;
    const owner = this.#signerOf(asset);
    if (random.percent(50)) {
      await send(decompress(umi.context, asset, owner, leaf.id));
      this.verdicts.decompressed += 1;
      return;
    }
    const { root, proof } = await this.#readProof(leaf.id);
    await send(restore(umi.context, { ...asset, root, proof }, owner));
    tree.changes += 1;
    leaf.holders = holders;
    this.verdicts.restored += 1;
  }

  #pickOwner(): PublicKey {
    return keyOf(this.#cast.random.pick(this.#cast.owners));
  }

  /** Seldom one that empties the leaf. */
  #pickStep({ form }: Tree): LeafStep {
    const { random } = this.#cast;
    if (random.percent(80)) return random.pick(["delegate", "transfer", "verify"]);
    return form.version === 1 && random.percent(50) ? "redeem" : "burn";
  }

  #signerOf({ leafOwner }: AssetWithProof): Signer {
    const { umi, owners } = this.#cast;
    return umi.signer(owners.find((owner) => keyOf(owner) === leafOwner)!);
  }
}

const livingOf = ({ leaves }: Tree): Leaf[] => leaves.filter(({ holders }) => holders !== null);

const holdersAfter = (step: LeafStep, owner: PublicKey, to: PublicKey): string | null => {
  if (step === "burn" || step === "redeem") return null;
  return step === "transfer" ? `${to} ${to}` : `${owner} ${to}`;
};

const turnBit = (node: PublicKey, bit: number): PublicKey => {
  const bytes = Uint8Array.from(publicKeyBytes(node));
  bytes[bit >>> 3]! ^= 1 << (bit & 7);
  return publicKey(bytes);
};

const describe = ({ form, address }: Tree): string => `${address} (${JSON.stringify(form)})`;
