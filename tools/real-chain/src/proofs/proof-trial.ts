// Changes leaves of trees by the real programs, with proofs that an index answered. The changes since a proof was read decide
// whether the programs must accept it.

import {
  type AssetWithProof,
  findLeafAssetIdPda,
  LeafSchemaV2Flags,
  mintV1,
  mintV2,
} from "@metaplex-foundation/mpl-bubblegum";
import { type PublicKey, publicKey, publicKeyBytes, type Signer } from "@metaplex-foundation/umi";
import { TransactionRefused } from "../bank/bank.ts";
import { keyOf } from "../metaplex/umi-instructions.ts";
import { decompress, restore } from "./end-redemption.ts";
import { collectionOf, type LeafStep, leafSteps } from "./leaf-steps.ts";
import type { ProofCast } from "./proof-cast.ts";
import { createTree, type TreeForm } from "./tree-form.ts";

/** Reads an asset and its proof. The nodes that the account's canopy has are left out. */
export type ReadProof = (assetId: PublicKey) => Promise<AssetWithProof>;

interface Leaf {
  readonly id: PublicKey;
  /** What its hash is of, as far as steps change it; null after it was burnt or redeemed. */
  form: string | null;
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
  readonly leafForm: string | null;
  readonly treeChanges: number;
}

/** The number of answers of each kind. */
export interface Verdicts {
  minted: number;
  decompressed: number;
  /** Redeemed leaves that were restored. */
  restored: number;
  frozen: number;
  thawed: number;
  /** Put into a collection, or taken out of it. */
  moved: number;
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
    frozen: 0,
    thawed: 0,
    moved: 0,
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
    return { tree, leaf, asset, leafForm: leaf.form, treeChanges: tree.changes };
  }

  async #mint(tree: Tree): Promise<void> {
    const { umi, random, send } = this.#cast;
    const leafIndex = tree.leaves.length;
    const leafOwner = this.#pickOwner();
    const collection = tree.form.version === 2 && random.percent(50) ? this.#cast.collection : null;
    const metadata = {
      name: `Leaf ${leafIndex}`,
      symbol: "LEAF",
      uri: `https://example.com/leaf/${leafIndex}.json`,
      sellerFeeBasisPoints: random.below(1000),
      creators: [],
    };
    const merkleTree = tree.address;
    const common = { leafOwner, merkleTree };
    await send(
      tree.form.version === 1
        ? mintV1(umi.context, { ...common, metadata: { ...metadata, collection: null } })
        : mintV2(umi.context, {
            ...common,
            metadata: { ...metadata, collection },
            ...(collection !== null && { coreCollection: collection }),
          }),
    );
    const [id] = findLeafAssetIdPda(umi.context, { merkleTree, leafIndex });
    tree.leaves.push({
      id,
      form: formOf({ leafOwner, leafDelegate: leafOwner, isFrozen: false, collection }),
    });
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
    if (await this.#isAccepted({ ...proof, asset }, this.#pickStep(proof), this.#pickOwner()))
      throw new Error(`a wrong proof of ${proof.leaf.id} in ${describe(proof.tree)} was accepted`);
    this.verdicts.wrongRefused += 1;
  }

  async #use(proof: HeldProof, step = this.#pickStep(proof)): Promise<void> {
    const { tree, leaf } = proof;
    const behind = tree.changes - proof.treeChanges;
    const isChanged = leaf.form !== proof.leafForm;
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
    leaf.form = this.#formAfter(step, proof.asset, to);
    this.#countStep(step);
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

  #countStep(step: LeafStep): void {
    const { verdicts } = this;
    if (step === "freeze") verdicts.frozen += 1;
    else if (step === "thaw") verdicts.thawed += 1;
    else if (step === "set collection") verdicts.moved += 1;
  }

  async #isAccepted({ tree, asset }: HeldProof, step: LeafStep, to: PublicKey): Promise<boolean> {
    const { umi, send, collection } = this.#cast;
    const make = leafSteps[tree.form.version][step]!;
    try {
      const [owner, leafDelegate] = [asset.leafOwner, asset.leafDelegate].map((key) => this.#signerOf(key));
      await send(
        make({ context: umi.context, asset, owner: owner!, leafDelegate: leafDelegate!, to, collection }),
      );
      return true;
    } catch (error) {
      if (error instanceof TransactionRefused && error.message.includes(ofProof)) return false;
      throw error;
    }
  }

  /** In turn, mints the token, or cancels the redemption by a proof of the empty leaf. */
  async #endRedemption({ asset, leaf, tree, leafForm }: HeldProof): Promise<void> {
    const { umi, send } = this.#cast;
    const owner = this.#signerOf(asset.leafOwner);
    if (this.verdicts.decompressed <= this.verdicts.restored) {
      await send(decompress(umi.context, asset, owner, leaf.id));
      this.verdicts.decompressed += 1;
      return;
    }
    const { root, proof } = await this.#readProof(leaf.id);
    await send(restore(umi.context, { ...asset, root, proof }, owner));
    tree.changes += 1;
    leaf.form = leafForm;
    this.verdicts.restored += 1;
  }

  #pickOwner(): PublicKey {
    return keyOf(this.#cast.random.pick(this.#cast.owners));
  }

  /** Seldom one that empties the leaf. A frozen leaf takes no other change. */
  #pickStep({ tree: { form }, asset }: HeldProof): LeafStep {
    const { random } = this.#cast;
    if (isFrozen(asset)) return random.pick(["thaw", "verify"]);
    if (random.percent(20)) return form.version === 1 && random.percent(50) ? "redeem" : "burn";
    if (form.version === 2 && random.percent(40)) return random.pick(["freeze", "set collection"]);
    return random.pick(["delegate", "transfer", "verify"]);
  }

  #formAfter(step: LeafStep, asset: AssetWithProof, to: PublicKey): string | null {
    if (step === "burn" || step === "redeem") return null;
    const before = { ...asset, isFrozen: isFrozen(asset), collection: collectionOf(asset) };
    if (step === "transfer") return formOf({ ...before, leafOwner: to, leafDelegate: to });
    if (step === "delegate") return formOf({ ...before, leafDelegate: to });
    if (step !== "set collection") return formOf({ ...before, isFrozen: step === "freeze" });
    return formOf({ ...before, collection: before.collection === null ? this.#cast.collection : null });
  }

  #signerOf(key: PublicKey): Signer {
    const { umi, owners } = this.#cast;
    return umi.signer(owners.find((owner) => keyOf(owner) === key)!);
  }
}

const livingOf = ({ leaves }: Tree): Leaf[] => leaves.filter(({ form }) => form !== null);

/** The parts of a leaf that steps change. */
interface LeafForm {
  readonly leafOwner: PublicKey;
  readonly leafDelegate: PublicKey;
  readonly isFrozen: boolean;
  readonly collection: PublicKey | null;
}

const formOf = ({ leafOwner, leafDelegate, isFrozen, collection }: LeafForm): string =>
  [leafOwner, leafDelegate, isFrozen, collection].join(" ");

/** Whether its delegate froze it. */
const isFrozen = ({ flags = 0 }: AssetWithProof): boolean => (flags & LeafSchemaV2Flags.FrozenByOwner) !== 0;

const turnBit = (node: PublicKey, bit: number): PublicKey => {
  const bytes = Uint8Array.from(publicKeyBytes(node));
  bytes[bit >>> 3]! ^= 1 << (bit & 7);
  return publicKey(bytes);
};

const describe = ({ form, address }: Tree): string => `${address} (${JSON.stringify(form)})`;
