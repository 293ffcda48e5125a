import {
  decodeAddress,
  encodeAddress,
  transactionPrograms,
  sameBytes,
  sysvarAddressTexts,
} from "@lamplight/codecs";
import {
  closedAccount,
  type Account,
  type GapFilling,
  type Slot,
  SlotRate,
  type Transaction,
} from "@lamplight/core";
import { accountOfRow } from "../rpc/account-row.ts";
import { ChainChecks } from "../rpc/chain-checks.ts";
import { asked, parseEndpoint, type RpcEndpoint } from "../rpc/endpoint.ts";
import { CONCURRENT_CALLS_MAX } from "../rpc/limits.ts";
import { type PageContext, readPages } from "../rpc/read-pages.ts";
import { RpcClient } from "../rpc/rpc-client.ts";
import { RpcTrouble } from "../rpc/rpc-fault.ts";
import type { RpcBase } from "../rpc/rpc-options.ts";
import { SlotHorizon } from "../rpc/slot-horizon.ts";
import { parseTransactions } from "../transactions/parse-transaction.ts";
import {
  GAP_ACCOUNTS_MAX,
  GAP_BLOCK_BYTES_MAX,
  GAP_BLOCKS_AT_ONCE_MAX,
  gapBytesMax,
  GAP_FINAL_MS_MAX,
  GAP_SECONDS_IN_ALL_MAX,
  GAP_SECONDS_MAX,
  KEPT_ACCOUNT_BYTES,
} from "./limits.ts";
import { readTouched, type TouchedBlock } from "./read-touched.ts";

/** Slots that the stream cannot replay: those above `finalizedSlot` up to `through`. */
export interface SlotGap {
  readonly finalizedSlot: Slot;
  /**
   * The blockhash of the finalized slot, base58 text; null = not known, then the parents of the blocks are not checked.
   */
  readonly finalizedBlockhash: string | null;
  readonly through: Slot;
}

export interface GapReaderOptions {
  /** URL of an ordinary RPC node, `https://` or `http://`. Its secrets are never reported. */
  readonly url: string;
  readonly signal: AbortSignal;
  /** Milliseconds before the first retry of a call; doubles. */
  readonly retryMs?: number;
  /** Selects the accounts of an answer to keep, and may replace them. Default: all, unchanged. */
  readonly select?: (accounts: readonly Account[]) => Promise<readonly Account[]>;
  /** Bytes of the kept accounts. */
  readonly bytesMax?: number;
  /** Slots a second of the chain, for bounds that are times; default: never measured. */
  readonly rate?: SlotRate | undefined;
}

/** A gap that was read completely. */
interface ReadGap extends Pick<SlotGap, "finalizedSlot" | "finalizedBlockhash"> {
  readonly last: TouchedBlock;
  readonly blocks: number;
  /** Accounts by address, base58 text. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly transactions: readonly Transaction[];
  readonly slot: Slot;
}

/**
 * Reads lost slots from an ordinary RPC node. The blocks name the accounts that were written, and their current
 * states are read. The states in between are lost, so the result is only correct together with everything that the
 * stream reported since.
 *
 * If the stream could not be kept for that long, the gap has grown. Then only its new blocks are read. Each time
 * there are fewer, if reading is faster than the chain.
 */
export class GapReader {
  readonly #endpoint: RpcEndpoint;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #signal: AbortSignal;
  readonly #horizon: SlotHorizon;
  readonly #select: NonNullable<GapReaderOptions["select"]>;
  readonly #bytesMax: number;
  #kept: ReadGap | null = null;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor({ url, signal, retryMs, select, bytesMax, rate }: GapReaderOptions) {
    this.#horizon = new SlotHorizon(rate);
    this.#select = select ?? (async (accounts) => accounts);
    this.#bytesMax = bytesMax ?? gapBytesMax();
    this.#endpoint = parseEndpoint(url, ["https:", "http:"]);
    this.#signal = signal;
    this.#client = new RpcClient(this.#endpoint, signal, retryMs);
    this.#checks = new ChainChecks(this.#client, this.#endpoint.name);
  }

  /**
   * Checks that the node is of the store's chain. A store that does not know its chain learns it here.
   *
   * @throws LamplightError `SOURCE__REFUSED` for another chain; `SOURCE__DOWNLOAD` when the node does not report its
   * chain
   */
  assertSameChain(base: Pick<RpcBase, "watermark" | "chain">, signal: AbortSignal): Promise<void> {
    return asked(this.#endpoint, () => this.#checks.assertSameChain(base, signal));
  }

  /** The first slot of a gap to read. Earlier ones were read already, possibly all of them. */
  firstOf(gap: SlotGap): Slot {
    return (this.#keptOf(gap)?.last.slot ?? gap.finalizedSlot) + 1;
  }

  /** Kept accounts. */
  get keptAccounts(): number {
    return this.#kept?.accounts.size ?? 0;
  }

  /** The caller calls it when there is no gap any more. */
  forget(): void {
    this.#kept = null;
  }

  /**
   * @throws LamplightError `SOURCE__DOWNLOAD` when the node does not answer, lacks the blocks, or has others; what
   * `select` throws
   */
  read(gap: SlotGap): Promise<GapFilling> {
    return asked(this.#endpoint, () => this.#read(gap));
  }

  close(): void {
    this.#client.close();
  }

  #keptOf(gap: SlotGap): ReadGap | null {
    return this.#kept !== null && isPartOf(this.#kept, gap) ? this.#kept : null;
  }

  /**
   * Continues from what was read, if it belongs to this gap. A failed call keeps what was read, because reading all
   * of it again may be too much.
   */
  async #read(gap: SlotGap): Promise<GapFilling> {
    const kept = this.#keptOf(gap);
    const isWhole = kept?.last.slot === gap.through;
    const slots = isWhole ? [] : await this.#readSlots(gap, kept);
    const addresses = new Set<string>(Object.values(sysvarAddressTexts));
    if (isWhole) for (const address of kept.accounts.keys()) addresses.add(address);
    const transactions: Transaction[] = [...(kept?.transactions ?? [])];
    let last: TouchedBlock | null = kept?.last ?? null;
    for (let from = 0; from < slots.length; from += GAP_BLOCKS_AT_ONCE_MAX) {
      const some = slots.slice(from, from + GAP_BLOCKS_AT_ONCE_MAX);
      const blocks = await Promise.all(some.map((slot) => this.#readBlock(slot)));
      for (const block of blocks) {
        if (last !== null && last === kept?.last && isOfAnotherChain(block, last)) this.#kept = null;
        assertIsChildOf(block, last, gap);
        for (const address of block.addresses) addresses.add(address);
        transactions.push(...block.transactions);
        last = block;
      }
      assertFew(addresses.size);
    }
    const accounts = new Map(kept?.accounts);
    const readAt = await this.#readAccounts([...addresses], gap.through, accounts);
    assertFew(accounts.size);
    const slot = Math.max(readAt, kept?.slot ?? 0);
    const { finalizedSlot, finalizedBlockhash, through } = gap;
    const blocks = slots.length + (kept?.blocks ?? 0);
    // Addresses are only needed once, so they are not kept.
    const { blockhash } = last!;
    const end = { ...last!, addresses: [] };
    this.#kept = { finalizedSlot, finalizedBlockhash, last: end, blocks, accounts, transactions, slot };
    return { finalizedSlot, through, blockhash, transactions, accounts: [...accounts.values()], slot };
  }

  /** Slots that have blocks; the others were skipped. */
  async #readSlots({ finalizedSlot, through }: SlotGap, kept: ReadGap | null): Promise<readonly Slot[]> {
    const first = (kept?.last.slot ?? finalizedSlot) + 1;
    const slots = await this.#client.call("getBlocks", [first, through, finalized]);
    if (!Array.isArray(slots) || !slots.every((slot) => Number.isSafeInteger(slot)))
      throw new RpcTrouble("getBlocks was answered without slots");
    // The last slot is missing from the stream, not from the chain. If the node lacks it, the node is behind.
    if (slots.at(-1) !== through) throw new RpcTrouble(`the node has no finalized block ${through}`);
    const { rate } = this.#horizon;
    const [blocksMax, inAllMax] = [rate.slotsIn(GAP_SECONDS_MAX), rate.slotsIn(GAP_SECONDS_IN_ALL_MAX)];
    if (slots.length > blocksMax)
      throw new RpcTrouble(`${slots.length} blocks are missing, more than ${blocksMax}`);
    const total = slots.length + (kept?.blocks ?? 0);
    if (total > inAllMax) throw new RpcTrouble(`${total} blocks are missing by now, more than ${inAllMax}`);
    return slots as Slot[];
  }

  async #readBlock(slot: Slot): Promise<TouchedBlock & { readonly transactions: readonly Transaction[] }> {
    const config = {
      ...finalized,
      encoding: "json",
      transactionDetails: "full",
      rewards: true,
      maxSupportedTransactionVersion: 1,
    };
    const block = await this.#client.call("getBlock", [slot, config], { bytesMax: GAP_BLOCK_BYTES_MAX });
    // A node that was warped lists blocks that it never had.
    if (block === null) throw new RpcTrouble(`the node lists block ${slot}, but does not have it`);
    const transactions = parseTransactions(block, slot);
    return { ...readTouched(slot, block), transactions: transactions.filter(isOurs) };
  }

  /**
   * @param kept - receives the selected accounts; others are removed from it
   * @returns highest slot of the answers
   */
  async #readAccounts(
    addresses: readonly string[],
    minSlot: Slot,
    kept: Map<string, Account>,
  ): Promise<Slot> {
    // Reading the blocks may have taken long.
    this.#horizon.forget();
    await this.#horizon.find(this.#client, this.#signal);
    let highest = minSlot;
    let bytes = 0;
    for (const account of kept.values()) bytes += bytesOf(account);
    const context: PageContext = {
      client: this.#client,
      horizon: this.#horizon,
      commitment: "finalized",
      minSlot,
      signal: this.#signal,
      pageMsMax: GAP_FINAL_MS_MAX,
      pagesAtOnce: CONCURRENT_CALLS_MAX,
    };
    await readPages(addresses, context, async ({ slot, rows }) => {
      highest = Math.max(highest, slot);
      const read = rows.map(({ address, row }) =>
        row === null ? closedAccount(decodeAddress(address), slot) : accountOfRow(row, slot),
      );
      const selected = await this.#select(read);
      for (const { address } of rows) {
        bytes -= bytesOf(kept.get(address));
        kept.delete(address);
      }
      for (const account of selected) {
        kept.set(encodeAddress(account.address), account);
        bytes += bytesOf(account);
      }
      if (bytes > this.#bytesMax)
        throw new RpcTrouble(`the accounts that were written take more than ${this.#bytesMax} bytes`);
    });
    return highest;
  }
}

const bytesOf = (account: Account | undefined): number =>
  account === undefined ? 0 : account.data.length + KEPT_ACCOUNT_BYTES;

const finalized = { commitment: "finalized" } as const;

const isOurs = ({ groups }: Transaction): boolean =>
  groups.some(({ outer, inner }) =>
    [outer, ...inner].some(({ programAddress }) =>
      transactionPrograms.some((program) => sameBytes(program, programAddress)),
    ),
  );

/** Whether what was read is the start of that gap. */
const isPartOf = ({ finalizedSlot, finalizedBlockhash, last }: ReadGap, gap: SlotGap): boolean =>
  finalizedSlot === gap.finalizedSlot &&
  finalizedBlockhash === gap.finalizedBlockhash &&
  last.slot <= gap.through;

/**
 * Whether a later block proves that this one is not on its chain. A later block further up may only lack the ones
 * between.
 */
const isOfAnotherChain = (block: TouchedBlock, { slot, blockhash }: TouchedBlock): boolean =>
  block.parent < slot || (block.parent === slot && block.parentBlockhash !== blockhash);

const assertFew = (accounts: number): void => {
  if (accounts > GAP_ACCOUNTS_MAX)
    throw new RpcTrouble(`the missing slots wrote more than ${GAP_ACCOUNTS_MAX} accounts`);
};

/** The blocks of the gap must be one chain that starts at the finalized slot. */
const assertIsChildOf = (block: TouchedBlock, parent: TouchedBlock | null, gap: SlotGap): void => {
  const slot = parent?.slot ?? gap.finalizedSlot;
  const blockhash = parent?.blockhash ?? gap.finalizedBlockhash;
  const isSame = blockhash === null || block.parentBlockhash === blockhash;
  if (block.parent !== slot || !isSame)
    throw new RpcTrouble(`the node's block ${block.slot} is not a child of our block at slot ${slot}`);
};
