import type { Slot, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  blockMsMax,
  blocksBeyond,
  blocksRangeMax,
  forbiddenTimesMax,
  hashPauseMs,
  hashWaitMsMax,
} from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { isMissingMethod, RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";

/** What the node says of its chain beside accounts: which one it is, hashes of blocks, and which slots became final. */
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
   * The same chain as before, and as the store's.
   *
   * @throws LamplightError `SOURCE__REFUSED`; what a call throws
   */
  async assertSameChain(watermark: Watermark | null, signal: AbortSignal): Promise<void> {
    const genesis = (await this.#client.call("getGenesisHash", [], { signal, check: parseHash })) as string;
    if (this.#genesis !== null && genesis !== this.#genesis)
      throw this.#anotherChain("its genesis is another one");
    if (this.#genesis === null && watermark !== null && watermark.blockhash !== null) {
      const hash = await this.#askBlock(watermark.slot);
      if (typeof hash === "string" && hash !== watermark.blockhash) {
        throw this.#anotherChain(`slot ${watermark.slot} has another block than the store's`);
      }
    }
    this.#genesis = genesis;
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
    const config = {
      commitment: "finalized",
      encoding: "json",
      transactionDetails: "none",
      rewards: false,
      maxSupportedTransactionVersion: 1,
    };
    try {
      const block = await this.#client.call("getBlock", [slot, config], {
        attemptsMax: 1,
        timeoutMs,
      });
      const { blockhash } = (block ?? {}) as { readonly blockhash?: unknown };
      return typeof blockhash === "string" ? blockhash : block === null ? gone : unknown;
    } catch (error) {
      if (isMissingMethod(error)) this.#hasHashes = false;
      return error instanceof RpcRefusal && goneCodes.has(error.code) ? gone : unknown;
    }
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
    return new LamplightError("SOURCE__REFUSED", {
      url: this.#url,
      reason: `this is another chain: ${reason}`,
    });
  }
}

const gone = Symbol("there is no such block");
const unknown = Symbol("the node does not say");

/** Cleaned up, skipped, not in the long-term storage either. */
const goneCodes: ReadonlySet<number> = new Set([-32001, -32007, -32009]);

const parseHash = (result: unknown): string => {
  if (typeof result === "string") return result;
  throw new RpcTrouble("getGenesisHash was answered without a hash");
};
