import { encodeAddress } from "@lamplight/codecs";
import type { AddressBytes, Slot, Transaction } from "@lamplight/core";
import { type Draft } from "../draft.ts";
import { Random } from "../random.ts";
import { slotsIn, timestampOf } from "../world.ts";
import { createCollectionByKind, mintByKind } from "./by-kind.ts";
import type { WorldContext } from "./world-context.ts";
import type { Minted } from "./minted.ts";
import { type AddressLike, invalid, readAddress, readU64, readWhole } from "../input.ts";
import { inscribe, type InscriptionInput } from "./inscriptions.ts";
import { Journal } from "./journal.ts";
import { createTree } from "./leaf-assets.ts";
import {
  type CollectionInput,
  type FreezeChoice,
  type HoldingChoice,
  type MintInput,
  type UpdateInput,
} from "./mint-input.ts";
import {
  checkCollection,
  checkCreator,
  checkFreeze,
  checkHolding,
  checkInscription,
  checkMint,
  checkTree,
  checkUpdate,
} from "./known-properties.ts";
import * as operate from "./operations.ts";
import { assetIds, findAsset } from "./registry.ts";
import { blockhashOf, genesisAccounts, OpenSlot, type WorldSlot } from "./slots.ts";
import { accountOf, type Wallet, walletOf } from "./wallet.ts";
import type { BlockId, WorldState } from "./world-state.ts";

export interface ChainWorldOptions {
  /** 0 to 2^32 - 1: the same seed and calls give the same bytes. Default 1. */
  readonly seed?: number;
  /** Default 300,000,000. */
  readonly firstSlot?: Slot;
}

const FIRST_SLOT_DEFAULT = 300_000_000;
/** Slots that can be undone. */
const UNDO_SLOTS_MAX = 512;
const NEW_ADDRESS_STREAM = 100;
const DEPTH_MIN = 3;
const DEPTH_MAX = 30;

/**
 * The programs of a chain, as far as assets need them: each call writes the account bytes, or sends the Bubblegum
 * transaction, that the real program would. It keeps no index: `takeSlot` gives what a slot wrote to anyone who has one.
 *
 * ```ts
 * const world = new ChainWorld({ seed: 1 });
 * const cats = world.createCollection({ name: "Cats" });
 * const cat = world.mint({ kind: "core", owner: world.wallet("alice"), collection: cats, name: "Cat #1" });
 * world.transfer(cat, world.wallet("bob"));
 * const { slot, accounts, transactions } = world.takeSlot();
 * ```
 *
 * Every method throws `CHAIN__INVALID_INPUT`, which names the property that is wrong.
 */
export class ChainWorld {
  readonly seed: number;
  readonly #wallets = new Map<string, Wallet>();
  readonly #context: WorldContext;
  #open = new OpenSlot();
  #newDocuments: (readonly [uri: string, json: string])[] = [];
  #closed: readonly BlockId[] = [];
  #nextSlot: Slot;
  #writeVersion = 0;
  #forks = 0;

  constructor({ seed = 1, firstSlot = FIRST_SLOT_DEFAULT }: ChainWorldOptions = {}) {
    this.seed = readWhole(seed, "seed", 0, 2 ** 32 - 1);
    this.#nextSlot = readWhole(firstSlot, "firstSlot", 1, Number.MAX_SAFE_INTEGER);
    this.#context = this.#createContext();
    for (const draft of genesisAccounts(firstSlot)) this.#open.write(draft);
  }

  /** The slot that is written now. */
  get nextSlot(): Slot {
    return this.#nextSlot;
  }

  /** Whether something was written since the last slot was taken. */
  get hasWrites(): boolean {
    return !this.#open.isEmpty;
  }

  /** A wallet by name, with 10 SOL from when it is first named. */
  wallet(name: string): Wallet {
    const known = this.#wallets.get(name) ?? walletOf(this.seed, name);
    this.#wallets.set(name, known);
    const key = `wallet:${name}`;
    if (this.#context.journal.find(key) === undefined) {
      this.#context.journal.set(key, true);
      this.#open.write(accountOf(known));
    }
    return known;
  }

  /** @returns id, base58 text, like that of every asset */
  mint(input: MintInput): string {
    checkMint(input);
    input.creators?.forEach(checkCreator);
    return this.#attempt(() => idOf(mintByKind(this.#context, input)));
  }

  createCollection(input: CollectionInput): string {
    checkCollection(input);
    input.creators?.forEach(checkCreator);
    return this.#attempt(() => idOf(createCollectionByKind(this.#context, input)));
  }

  /** A Merkle tree with room for 2^depth compressed assets. Default depth 14. */
  createTree(options: { readonly depth?: number } = {}): string {
    checkTree(options);
    const depth =
      options.depth === undefined ? undefined : readWhole(options.depth, "depth", DEPTH_MIN, DEPTH_MAX);
    return encodeAddress(createTree(this.#context, depth));
  }

  transfer(id: AddressLike, to: AddressLike, choice: HoldingChoice = {}): void {
    checkHolding(choice);
    this.#attempt(() => operate.transfer(this.#context, this.#get(id), readAddress(to, "to"), choice));
  }

  /** Lets another one act on a holding; of a fungible up to an amount, all of it by default. */
  delegate(id: AddressLike, delegate: AddressLike, choice: HoldingChoice = {}): void {
    checkHolding(choice);
    this.#attempt(() =>
      operate.delegate(this.#context, this.#get(id), readAddress(delegate, "delegate"), choice),
    );
  }

  revoke(id: AddressLike, choice: HoldingChoice = {}): void {
    checkHolding(choice);
    this.#attempt(() => operate.delegate(this.#context, this.#get(id), null, choice));
  }

  freeze(id: AddressLike, choice: FreezeChoice = {}): void {
    checkFreeze(choice);
    this.#attempt(() => operate.freeze(this.#context, this.#get(id), true, choice));
  }

  thaw(id: AddressLike, choice: FreezeChoice = {}): void {
    checkFreeze(choice);
    this.#attempt(() => operate.freeze(this.#context, this.#get(id), false, choice));
  }

  verifyCreator(id: AddressLike, creator: AddressLike, verified = true): void {
    this.#attempt(() =>
      operate.verifyCreator(this.#context, this.#get(id), readAddress(creator, "creator"), verified),
    );
  }

  verifyCollection(id: AddressLike, verified = true): void {
    this.#attempt(() => operate.verifyCollection(this.#context, this.#get(id), verified));
  }

  /** Null takes the asset out of its collection. */
  setCollection(id: AddressLike, collection: AddressLike | null): void {
    this.#attempt(() => operate.setCollection(this.#context, this.#get(id), collection));
  }

  update(id: AddressLike, input: UpdateInput): void {
    checkUpdate(input);
    input.creators?.forEach(checkCreator);
    this.#attempt(() => operate.update(this.#context, this.#get(id), input));
  }

  /** Prints a master edition: the next number, or this one. */
  print(id: AddressLike, owner: AddressLike, number?: number): string {
    const wanted = number === undefined ? undefined : readWhole(number, "number", 1, 2 ** 31);
    const to = readAddress(owner, "owner");
    return this.#attempt(() => idOf(operate.print(this.#context, this.#get(id), to, wanted)));
  }

  burn(id: AddressLike, choice: HoldingChoice = {}): void {
    checkHolding(choice);
    this.#attempt(() => operate.burn(this.#context, this.#get(id), choice));
  }

  /** Closes the empty token account of an owner. */
  close(id: AddressLike, owner: AddressLike): void {
    this.#attempt(() => operate.close(this.#context, this.#get(id), readAddress(owner, "owner")));
  }

  /** Mints more of a fungible, in raw units. */
  mintAmount(id: AddressLike, to: AddressLike, amount: bigint | number): void {
    const units = readU64(amount, "amount");
    this.#attempt(() => operate.mintMore(this.#context, this.#get(id), readAddress(to, "to"), units));
  }

  /** Takes a V1 leaf out of its tree: it is an ordinary NFT from then on, with the same id. */
  decompress(id: AddressLike): void {
    this.#attempt(() => operate.decompress(this.#context, this.#get(id)));
  }

  inscribe(id: AddressLike, input: InscriptionInput = {}): void {
    checkInscription(input);
    const asset = this.#get(id);
    this.#attempt(() => inscribe(this.#context, asset.id, asset.content, input));
  }

  /** Writes any account. Zero lamports close it. */
  setAccount(account: Draft): void {
    this.#open.write(account);
  }

  /** Sends a transaction that someone else executed; its account writes are given with `setAccount`. */
  sendTransaction(transaction: Transaction): void {
    this.#open.send(transaction);
  }

  /** Finds an asset as this world knows it; undefined where this world made none of that id. */
  find(id: AddressLike): Minted | undefined {
    return findAsset(this.#context.journal, readAddress(id, "id"));
  }

  /** Everything that was ever minted, in order; base58 text. */
  ids(): readonly string[] {
    return assetIds(this.#context.journal);
  }

  /** Ends the slot: what it wrote, with the clock. The next call writes into the next slot. */
  takeSlot(): WorldSlot {
    const slot = this.#nextSlot;
    const { accounts, transactions } = this.#open.close(slot, this.#writeVersion);
    this.#writeVersion += accounts.length;
    this.#open = new OpenSlot();
    this.#context.journal.closeStep(UNDO_SLOTS_MAX);
    const documents = this.#newDocuments;
    this.#newDocuments = [];
    const parent = this.#closed.at(-1);
    const blockhash = blockhashOf(this.seed, slot, this.#forks);
    this.#closed = [...this.#closed.slice(-UNDO_SLOTS_MAX), { slot, blockhash }];
    this.#nextSlot = slot + 1;
    return {
      slot,
      parent: parent?.slot ?? -1,
      blockhash,
      parentBlockhash: parent?.blockhash ?? null,
      accounts,
      transactions,
      documents,
    };
  }

  /** The slots up to this one are skipped: nothing is written in them. */
  skipTo(slot: Slot): void {
    this.#nextSlot = Math.max(this.#nextSlot, readWhole(slot, "slot", 0, Number.MAX_SAFE_INTEGER));
  }

  /** First slot at or after that time. */
  slotAt(date: Date): Slot {
    const seconds = BigInt(Math.floor(date.getTime() / 1000));
    const nowSeconds = timestampOf(this.#nextSlot);
    const slots = slotsIn(seconds - nowSeconds);
    return Math.max(this.#nextSlot, this.#nextSlot + Number(slots));
  }

  /**
   * Undoes what was written and the newest slots. The next slot comes after them, over the slot that is left.
   *
   * @returns the slot that is the newest now
   */
  undoSlots(count: number): Slot {
    if (count >= this.#closed.length || !this.#context.journal.undo(count))
      throw invalid("slots", `must be fewer than ${Math.min(this.#closed.length, UNDO_SLOTS_MAX)}`);
    this.#open = new OpenSlot();
    this.#closed = this.#closed.slice(0, this.#closed.length - count);
    this.#forks += 1;
    return this.#closed.at(-1)!.slot;
  }

  /** As `undoSlots`, for all slots above this one. */
  undoSlotsAbove(slot: Slot): Slot {
    return this.undoSlots(this.#closed.filter((one) => one.slot > slot).length);
  }

  /** Only between slots: nothing may be written since the last one was taken. */
  snapshot(): WorldState {
    return { journal: this.#context.journal.copy(), slots: this.#closed, nextSlot: this.#nextSlot };
  }

  restore({ journal, slots, nextSlot }: WorldState): void {
    this.#context.journal = journal.copy();
    this.#open = new OpenSlot();
    this.#closed = slots;
    this.#nextSlot = nextSlot;
    this.#forks += 1;
  }

  /** An operation that is refused changes nothing. */
  #attempt<Result>(work: () => Result): Result {
    const outer = this.#open;
    const own = new OpenSlot();
    this.#open = own;
    try {
      const result = this.#context.journal.attempt(work);
      outer.append(own);
      return result;
    } finally {
      this.#open = outer;
    }
  }

  #get(id: AddressLike): Minted {
    const asset = this.find(id);
    if (asset === undefined) throw invalid("id", "must be an asset of this chain");
    return asset;
  }

  #createContext(): WorldContext {
    return {
      journal: new Journal(),
      authority: () => this.wallet("authority").publicKey,
      slot: () => this.#nextSlot,
      newAddress: () => this.#newAddress(),
      write: (draft) => this.#open.write(draft),
      send: (transaction) => this.#open.send(transaction),
      putDocument: (uri, json) => void this.#newDocuments.push([uri, json]),
    };
  }

  #newAddress(): AddressBytes {
    const count = this.#context.journal.find<number>("addresses") ?? 0;
    this.#context.journal.set("addresses", count + 1);
    return new Random(this.seed, NEW_ADDRESS_STREAM, count).bytes(32);
  }
}

const idOf = (asset: Minted): string => encodeAddress(asset.id);
