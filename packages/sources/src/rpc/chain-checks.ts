import type { Slot, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  blockMsMax,
  blocksBeyond,
  blocksRangeMax,
  callMsMax,
  firstCallMsMax,
  forbiddenTimesMax,
  hashPauseMs,
  hashWaitMsMax,
} from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { isMissingMethod, isPassing, isRpcFault, RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";
import type { KnownChain } from "./rpc-options.ts";

/** What the node says of its chain in addition to accounts: which one it is, hashes of blocks, and which slots became final. */
export class ChainChecks {
  readonly #client: RpcClient;
  readonly #url: string;
  #genesis: string | null = null;
  #hasBlocks = true;
  #hasHashes = true;
  /** A node that takes too long for a hash is not waited for again until then. */
  #askAgainMs = 0;
  /** Times in a row that getBlocks was refused by way of HTTP: some providers switch methods off like that. */
  #blocksForbidden = 0;

  /** @param url - name of the node, for messages */
  constructor(client: RpcClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** Whether finality is checked block by block; else the number of the root is believed. */
  get checksBlocks(): boolean {
    return this.#hasBlocks;
  }

  /**
   * The same chain as before, and as the store's. A store that does not know its chain learns it here, from a node that
   * has the store's very block.
   *
   * @throws LamplightError `SOURCE__REFUSED`; what a call throws
   */
  async assertSameChain(
    { watermark, chain }: { readonly watermark: Watermark | null; readonly chain?: KnownChain },
    signal: AbortSignal,
  ): Promise<void> {
    const timeoutMs = this.#client.state.hasAnswered ? callMsMax : firstCallMsMax;
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

  /** A store without a blockhash cannot be compared; a node before its slot is at best behind. */
  async #assertReached(slot: Slot, signal: AbortSignal): Promise<null> {
    const config = [{ commitment: "finalized" }];
    const final = await this.#client.call("getSlot", config, { signal, attemptsMax: 1 });
    if (Number(final) >= slot) return null;
    throw new RpcRefusal(blockNotAvailable, `its finalized slot is ${String(final)}`);
  }

  /** Of a final block; null where the node does not say it soon. */
  async blockhash(slot: Slot): Promise<string | null> {
    if (Date.now() < this.#askAgainMs) return null;
    const askedMs = Date.now();
    const answer = await this.#askBlock(slot, hashWaitMsMax);
    if (typeof answer === "string") return answer;
    if (Date.now() - askedMs >= hashWaitMsMax) this.#askAgainMs = Date.now() + hashPauseMs;
    return null;
  }

  /** @returns its hash; `gone` is said by the node, `unknown` is all else */
  async #askBlock(slot: Slot, timeoutMs = blockMsMax): Promise<string | typeof gone | typeof unknown> {
    if (!this.#hasHashes) return unknown;
    try {
      return await this.#readHash(slot, undefined, timeoutMs);
    } catch (error) {
      if (isMissingMethod(error)) this.#hasHashes = false;
      return error instanceof RpcRefusal && goneCodes.has(error.code) ? gone : unknown;
    }
  }

  /** @throws RpcRefusal, RpcForbidden, RpcTrouble */
  async #readHash(slot: Slot, signal?: AbortSignal, timeoutMs = blockMsMax): Promise<string> {
    const config = {
      commitment: "finalized",
      encoding: "json",
      transactionDetails: "none",
      rewards: false,
      maxSupportedTransactionVersion: 1,
    };
    const options = { attemptsMax: 1, timeoutMs, ...(signal === undefined ? {} : { signal }) };
    const block = await this.#client.call("getBlock", [slot, config], options);
    if (block === null) throw new RpcRefusal(slotSkipped, "there is no such block");
    const { blockhash } = block as { readonly blockhash?: unknown };
    if (typeof blockhash === "string") return blockhash;
    throw new RpcTrouble("getBlock was answered without a hash");
  }

  /**
   * How many of the slots, lowest first, the node counts among its final blocks.
   *
   * @param slots - at or below the root
   * @returns null when it cannot say yet; `died` is the lowest slot that is not among them
   */
  async finalAmong(
    slots: readonly Slot[],
    root: Slot,
  ): Promise<{ readonly final: Slot | null; readonly died: Slot | null } | null> {
    const first = slots[0];
    if (first === undefined) return null;
    if (!this.#hasBlocks) return { final: slots.at(-1)!, died: null };
    // A little beyond the last one asked about: a later block shows that the node is past it.
    const end = Math.min(root, slots.at(-1)! + blocksBeyond, first + blocksRangeMax);
    let blocks: unknown;
    try {
      blocks = await this.#client.call("getBlocks", [first, end, { commitment: "finalized" }], {
        attemptsMax: 2,
      });
    } catch (error) {
      this.#blocksForbidden = error instanceof RpcForbidden ? this.#blocksForbidden + 1 : 0;
      if (!isMissingMethod(error) && this.#blocksForbidden < forbiddenTimesMax) return null;
      this.#hasBlocks = false;
      return { final: slots.at(-1)!, died: null };
    }
    this.#blocksForbidden = 0;
    const listed = Array.isArray(blocks) ? (blocks as readonly Slot[]) : [];
    if (listed.some((slot) => !(slot >= first && slot <= end))) return null;
    const known = new Set(listed);
    // A node that is behind lists less: only below what it lists, in order, it can be believed.
    const reached = listed.at(-1) ?? -1;
    let final: Slot | null = null;
    for (const slot of slots.filter((each) => each <= reached)) {
      if (!known.has(slot)) {
        // A node that began later lists less, too, and may have the block all the same.
        const answer = await this.#askBlock(slot);
        if (answer === gone || !this.#hasHashes) return { final, died: slot };
        // Asked again with the next root: silence is no death.
        if (answer === unknown) return { final, died: null };
      }
      final = slot;
    }
    return { final, died: null };
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

const slotSkipped = -32007;
/** Not produced yet, not final yet, or of another fork: the node does not distinguish these. */
const blockNotAvailable = -32004;

/** Cleaned up, skipped, not in the long-term storage either. */
const goneCodes: ReadonlySet<number> = new Set([-32001, slotSkipped, -32009]);

/** The node may answer later, and is asked again. */
const isBusy = (code: number): boolean => isPassing(code) && code !== blockNotAvailable;

const parseHash = (result: unknown): string => {
  if (typeof result === "string") return result;
  throw new RpcTrouble("getGenesisHash was answered without a hash");
};
