import type { Slot, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  BLOCK_MS_MAX,
  BLOCKS_BEYOND,
  BLOCKS_RANGE_MAX,
  CALL_MS_MAX,
  FIRST_CALL_MS_MAX,
  FORBIDDEN_TIMES_MAX,
  HASH_PAUSE_MS,
  HASH_WAIT_MS_MAX,
} from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { isMissingMethod, isPassing, isRpcFault, RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";
import type { KnownChain } from "./rpc-options.ts";

/** Calls about a node's chain rather than its accounts: its identity, block hashes, and which slots are finalized. */
export class ChainChecks {
  readonly #client: RpcClient;
  readonly #url: string;
  #genesis: string | null = null;
  #hasBlocks = true;
  #hasHashes = true;
  /** Time until a node that took too long for a hash is asked again. */
  #askAgainMs = 0;
  /** Refusals of getBlocks by HTTP status in a row. Some providers switch methods off that way. */
  #blocksForbidden = 0;

  /** @param url - name of the node, for messages */
  constructor(client: RpcClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** Whether finality is checked by block. If not, the number of the root is trusted. */
  get checksBlocks(): boolean {
    return this.#hasBlocks;
  }

  /**
   * Checks that the node is of the same chain as before, and as the store. A store that does not know its chain
   * learns it from a node that has the store's block.
   *
   * @throws LamplightError `SOURCE__REFUSED`; what a call throws
   */
  async assertSameChain(
    { watermark, chain }: { readonly watermark: Watermark | null; readonly chain?: KnownChain },
    signal: AbortSignal,
  ): Promise<void> {
    const timeoutMs = this.#client.state.hasAnswered ? CALL_MS_MAX : FIRST_CALL_MS_MAX;
    const options = { signal, timeoutMs, check: parseHash };
    const genesis = (await this.#client.call("getGenesisHash", [], options)) as string;
    const known = this.#genesis ?? chain?.genesisHash ?? null;
    if (known !== null && genesis !== known) {
      throw this.#anotherChain(`its genesis hash is ${genesis}, and ${known} was expected`);
    }
    if (this.#genesis === null) {
      if (watermark !== null) await this.#assertSameBlock(watermark, known !== null, signal);
      if (known === null) await chain?.keep(genesis);
    }
    this.#genesis = genesis;
  }

  /** Checks that a finalized block is of the node's chain. @throws LamplightError `SOURCE__REFUSED`; what a call throws */
  async assertBlock(
    { slot, blockhash }: { readonly slot: Slot; readonly blockhash: string },
    signal: AbortSignal,
  ): Promise<void> {
    const found = await this.#readHash(slot, signal);
    if (found !== blockhash)
      throw this.#refused(`its block at slot ${slot} is ${found}, and ${blockhash} was expected`);
  }

  /** @param isKnown - whether the genesis hash matched: then a node that lacks the block is no evidence */
  async #assertSameBlock(
    { slot, blockhash }: Watermark,
    isKnown: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    if (isKnown && blockhash === null) return;
    let found: unknown;
    try {
      found =
        blockhash === null ? await this.#assertReached(slot, signal) : await this.#readHash(slot, signal);
    } catch (error) {
      if (isKnown && isRpcFault(error)) return;
      if (error instanceof RpcTrouble || (error instanceof RpcRefusal && isBusy(error.code))) throw error;
      if (!isRpcFault(error)) throw error;
      throw this.#unknownChain(slot, error.message);
    }
    if (found !== blockhash) {
      throw this.#anotherChain(`its block at slot ${slot} is ${String(found)}, the store's is ${blockhash}`);
    }
  }

  /** The store cannot be compared without a blockhash. A node below its slot is at best behind. */
  async #assertReached(slot: Slot, signal: AbortSignal): Promise<null> {
    const config = [{ commitment: "finalized" }];
    const final = await this.#client.call("getSlot", config, { signal, attemptsMax: 1 });
    if (Number(final) >= slot) return null;
    throw new RpcRefusal(BLOCK_NOT_AVAILABLE, `its finalized slot is ${String(final)}`);
  }

  /** Hash of a finalized block; null where the node does not answer soon. */
  async blockhash(slot: Slot): Promise<string | null> {
    if (performance.now() < this.#askAgainMs) return null;
    const askedMs = performance.now();
    const answer = await this.#askBlock(slot, HASH_WAIT_MS_MAX);
    if (typeof answer === "string") return answer;
    if (performance.now() - askedMs >= HASH_WAIT_MS_MAX) this.#askAgainMs = performance.now() + HASH_PAUSE_MS;
    return null;
  }

  /** @returns its hash; `gone` is reported by the node; `unknown` is everything else */
  async #askBlock(slot: Slot, timeoutMs = BLOCK_MS_MAX): Promise<string | typeof gone | typeof unknown> {
    if (!this.#hasHashes) return unknown;
    try {
      return await this.#readHash(slot, undefined, timeoutMs);
    } catch (error) {
      if (isMissingMethod(error)) this.#hasHashes = false;
      return error instanceof RpcRefusal && goneCodes.has(error.code) ? gone : unknown;
    }
  }

  /** @throws RpcRefusal, RpcForbidden, RpcTrouble */
  async #readHash(slot: Slot, signal?: AbortSignal, timeoutMs = BLOCK_MS_MAX): Promise<string> {
    const config = {
      commitment: "finalized",
      encoding: "json",
      transactionDetails: "none",
      rewards: false,
      maxSupportedTransactionVersion: 1,
    };
    const options = { attemptsMax: 1, timeoutMs, ...(signal === undefined ? {} : { signal }) };
    const block = await this.#client.call("getBlock", [slot, config], options);
    if (block === null) throw new RpcRefusal(SLOT_SKIPPED, "there is no such block");
    const { blockhash } = block as { readonly blockhash?: unknown };
    if (typeof blockhash === "string") return blockhash;
    throw new RpcTrouble("getBlock was answered without a hash");
  }

  /**
   * Counts how many of the slots, lowest first, the node lists as finalized blocks.
   *
   * @param slots - at or below the root
   * @returns null when it cannot be decided yet; `died` is the lowest slot that is not listed
   */
  async finalAmong(
    slots: readonly Slot[],
    root: Slot,
  ): Promise<{ readonly final: Slot | null; readonly died: Slot | null } | null> {
    const first = slots[0];
    if (first === undefined) return null;
    if (!this.#hasBlocks) return { final: slots.at(-1)!, died: null };
    // A little beyond the last slot in question: a later block proves that the node has passed it.
    const end = Math.min(root, slots.at(-1)! + BLOCKS_BEYOND, first + BLOCKS_RANGE_MAX);
    let blocks: unknown;
    try {
      blocks = await this.#client.call("getBlocks", [first, end, { commitment: "finalized" }], {
        attemptsMax: 2,
      });
    } catch (error) {
      this.#blocksForbidden = error instanceof RpcForbidden ? this.#blocksForbidden + 1 : 0;
      if (!isMissingMethod(error) && this.#blocksForbidden < FORBIDDEN_TIMES_MAX) return null;
      this.#hasBlocks = false;
      return { final: slots.at(-1)!, died: null };
    }
    this.#blocksForbidden = 0;
    const listed = Array.isArray(blocks) ? (blocks as readonly Slot[]) : [];
    if (listed.some((slot) => !(slot >= first && slot <= end))) return null;
    const known = new Set(listed);
    // A node that is behind lists fewer blocks. Its list is only trusted below its last block.
    const reached = listed.at(-1) ?? -1;
    let final: Slot | null = null;
    for (const slot of slots.filter((each) => each <= reached)) {
      if (!known.has(slot)) {
        // A node that started later also lists fewer, although the block may exist.
        const answer = await this.#askBlock(slot);
        if (answer === gone || !this.#hasHashes) return { final, died: slot };
        // Asked again with the next root: a missing answer does not prove that the slot is dead.
        if (answer === unknown) return { final, died: null };
      }
      final = slot;
    }
    return { final, died: null };
  }

  /**
   * Whether there may be confirmed blocks between two others. A list without either of them proves nothing.
   */
  async hasBlocksWithin(from: Slot, to: Slot, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasBlocks || to - from > BLOCKS_RANGE_MAX) return true;
    const check = (listed: unknown): readonly Slot[] => {
      const slots = Array.isArray(listed) ? (listed as readonly Slot[]) : [];
      if (slots[0] === from && slots.at(-1) === to) return slots;
      throw new RpcTrouble("getBlocks was answered by a node that lacks a confirmed block");
    };
    try {
      const options = { attemptsMax: 2, timeoutMs: BLOCK_MS_MAX, signal, check };
      const slots = await this.#client.call("getBlocks", [from, to, { commitment: "confirmed" }], options);
      return (slots as readonly Slot[]).length > 2;
    } catch {
      return true;
    }
  }

  #anotherChain(reason: string): LamplightError {
    return this.#refused(`this is another chain: ${reason}. Follow it into a new store`);
  }

  #unknownChain(slot: Slot, reason: string): LamplightError {
    return this.#refused(
      `the store does not know yet which chain it is of, and the node has no block at its slot ${slot} to compare (${reason}). Follow a node that has this block, or fill a new store`,
    );
  }

  #refused(reason: string): LamplightError {
    return new LamplightError("SOURCE__REFUSED", { url: this.#url, reason });
  }
}

const gone = Symbol("there is no such block");
const unknown = Symbol("the node does not say");

const SLOT_SKIPPED = -32007;
/** The block is not produced yet, not final yet, or of another fork: the node does not distinguish these. */
const BLOCK_NOT_AVAILABLE = -32004;

/** Removed from the ledger, skipped, or not in the long-term storage. */
const goneCodes: ReadonlySet<number> = new Set([-32001, SLOT_SKIPPED, -32009]);

/** The node may answer later, so it is asked again. */
const isBusy = (code: number): boolean => isPassing(code) && code !== BLOCK_NOT_AVAILABLE;

const parseHash = (result: unknown): string => {
  if (typeof result === "string") return result;
  throw new RpcTrouble("getGenesisHash was answered without a hash");
};
