import { decodeAddress, encodeAddress, encodeBase58, programAddresses } from "@lamplight/codecs";
import type { Account, Slot, Transaction } from "@lamplight/core";
import { rentExemptLamports, U64_MAX } from "../../draft.ts";
import { clockAccount } from "../../parts/runtime.ts";
import type { ChainSimulation } from "../chain-simulation.ts";
import { lastWrites } from "../emit-block.ts";

/** A confirmed block as a node without Geyser knows it. */
export interface LedgerBlock {
  readonly slot: Slot;
  readonly parent: Slot;
  readonly blockhash: string;
  /** End state of what it wrote. */
  readonly writes: readonly Account[];
  readonly transactions: readonly Transaction[];
}

type State = ReadonlyMap<string, Account>;

const TREE_BYTES = 8;

/**
 * The confirmed line of a simulated chain, as an RPC node holds it: the state after each block, and which of them are
 * final. Every block writes the clock, and the tree account when leaves change.
 */
export class RpcLedger {
  readonly #simulation: ChainSimulation;
  /** Genesis first. */
  readonly #blocks: LedgerBlock[] = [];
  readonly #states: State[] = [];
  readonly #trees: readonly string[];
  /** By slot of the simulation: quiet blocks lie between, so that the numbers here are higher. */
  readonly #slots = new Map<Slot, Slot>();
  #simulated: Slot;
  /** Never given twice, though blocks be rolled back. */
  #highest: Slot;
  #final = 0;

  /** @param trees - addresses (base58 text) of the simulation's trees */
  constructor(simulation: ChainSimulation, trees: readonly string[] = []) {
    this.#simulation = simulation;
    this.#trees = trees;
    const { slot, blockhash, accounts } = simulation.genesis;
    this.#simulated = slot;
    this.#highest = slot;
    this.#slots.set(slot, slot);
    this.#append({ slot, parent: slot, blockhash, writes: accounts, transactions: [] });
  }

  get tip(): LedgerBlock {
    return this.#blocks.at(-1)!;
  }

  get final(): LedgerBlock {
    return this.#blocks[this.#final]!;
  }

  get genesisHash(): string {
    return this.#blocks[0]!.blockhash;
  }

  /** Blocks above a slot, up to another. */
  blocks(after: Slot, through: Slot): readonly LedgerBlock[] {
    return this.#blocks.filter(({ slot }) => slot > after && slot <= through);
  }

  block(slot: Slot): LedgerBlock | undefined {
    return this.#blocks.find((block) => block.slot === slot);
  }

  /** The block so many before the newest (or final) one. */
  blockAt(commitment: "confirmed" | "finalized", behind: number): LedgerBlock {
    const index = commitment === "finalized" ? this.#final : this.#blocks.length - 1;
    return this.#blocks[Math.max(0, index - behind)]!;
  }

  /** Living accounts after a block, by address. */
  stateAt(slot: Slot): State {
    const index = this.#blocks.findLastIndex((block) => block.slot <= slot);
    return this.#states[index] ?? new Map();
  }

  /** Lets the chain go on. @returns the blocks that became confirmed */
  advance(): readonly LedgerBlock[] {
    this.#simulation.next();
    return this.#takeConfirmed();
  }

  /** Everything that was built is agreed on. */
  settle(): readonly LedgerBlock[] {
    this.#simulation.settle();
    return this.#takeConfirmed();
  }

  /** Blocks in which nothing happens but the clock; only after `settle`. */
  pass(count: number): readonly LedgerBlock[] {
    const before = this.tip.slot;
    for (let index = 0; index < count; index += 1) this.write([]);
    return this.blocks(before, this.tip.slot);
  }

  /** One block that writes just these, and the clock; only after `settle`. */
  write(
    accounts: readonly Omit<Account, "slot" | "writeVersion">[],
    sent: readonly Transaction[] = [],
  ): readonly LedgerBlock[] {
    const slot = this.skip(1);
    const transactions = sent.map((transaction) => ({
      ...transaction,
      slot,
      signature: signatureOf(transaction.signature, slot),
    }));
    const writes = [...accounts, clockAccount(slot)].map((each) => ({ ...each, slot, writeVersion: 0 }));
    const hash = Buffer.alloc(32);
    hash.writeUInt32LE(slot);
    const blockhash = encodeAddress(hash);
    this.#append({ slot, parent: this.tip.slot, blockhash, writes, transactions });
    return [this.tip];
  }

  /** Skips so many slots that no one leads. @returns the last of them */
  skip(slots: number): Slot {
    this.#highest += slots;
    return this.#highest;
  }

  /** Blocks that were confirmed and are not final turn out never to have been the chain's. */
  rollBack(): void {
    this.#blocks.length = this.#final + 1;
    this.#states.length = this.#final + 1;
  }

  /** The newest blocks become final too. */
  finalizeAll(): void {
    this.#final = this.#blocks.length - 1;
  }

  #takeConfirmed(): readonly LedgerBlock[] {
    const before = this.tip.slot;
    const path = this.#simulation.pathTo(this.#simulation.confirmed, this.#simulated) ?? [];
    for (const block of path) {
      const slot = this.skip(block.slot - this.#simulated);
      this.#simulated = block.slot;
      this.#slots.set(block.slot, slot);
      const transactions = block.transactions.map((transaction) => ({
        ...transaction,
        slot,
        signature: signatureOf(transaction.signature, slot),
      }));
      const trees = transactions.length === 0 ? [] : this.#trees.map((tree) => treeAccount(tree, slot));
      const writes = [...lastWrites(block), ...trees].map((account) => ({ ...account, slot }));
      this.#append({ slot, parent: this.tip.slot, blockhash: block.blockhash, writes, transactions });
    }
    const finalized = this.#slots.get(this.#simulation.finalized) ?? 0;
    const final = this.#blocks.findLastIndex(({ slot }) => slot <= finalized);
    this.#final = Math.max(this.#final, final);
    return this.blocks(before, this.tip.slot);
  }

  #append(block: LedgerBlock): void {
    const state = new Map(this.#states.at(-1) ?? []);
    for (const account of block.writes) {
      const address = encodeAddress(account.address);
      if (account.lamports === 0n) state.delete(address);
      else state.set(address, account);
    }
    this.#blocks.push(block);
    this.#states.push(state);
  }
}

/** Nodes have signatures of 64 bytes; the same step on another fork is another transaction. */
const signatureOf = (short: string, slot: Slot): string => {
  const bytes = Buffer.alloc(64, short);
  bytes.writeUInt32LE(slot, 60);
  return encodeBase58(bytes);
};

const treeAccount = (tree: string, slot: Slot): Account => {
  const data = new Uint8Array(TREE_BYTES);
  new DataView(data.buffer).setBigUint64(0, BigInt(slot), true);
  return {
    address: decodeAddress(tree),
    programOwner: programAddresses.splAccountCompression,
    lamports: rentExemptLamports(TREE_BYTES),
    executable: false,
    rentEpoch: U64_MAX,
    data,
    slot,
    writeVersion: 0,
  };
};
