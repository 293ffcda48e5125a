// Callers over real HTTP whose every answer is compared with what a naive model says at the slot the answer names.
import { setTimeout as sleep } from "node:timers/promises";
import type { Commitment } from "@lamplight/core";
import type { ChainSimulation, Random } from "@lamplight/devchain";
import { apiVersion } from "@lamplight/server/command";
import { expect } from "vitest";
import { answerOver, type ChainModel, refusalText, resultText } from "../../indexer/test/chain-model.ts";
import { type Call, randomCall } from "../../indexer/test/random-call.ts";

export interface LoadOptions {
  readonly simulation: ChainSimulation;
  readonly model: ChainModel;
  readonly random: Random;
  /** Where to call now; null = that server is down. */
  readonly targets: () => readonly (string | null)[];
  readonly callers: number;
}

/** Asset methods answer at this one unless a server is reported otherwise. */
const assetCommitment: Commitment = "confirmed";
/** Callers that never pause take the processor from what they call. */
const PAUSE_MS = 40;

export class HttpLoad {
  /** Milliseconds of every answered call since `takeTimes`. */
  #times: number[] = [];
  answered = 0;
  refused = 0;
  lost = 0;
  readonly #options: LoadOptions;
  readonly #stopping = new AbortController();
  readonly #callers: Promise<readonly PromiseSettledResult<void>[]>;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#callers = Promise.allSettled(Array.from({ length: options.callers }, () => this.#callOn()));
  }

  /** Rejects with the first answer that was wrong. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const failed = (await this.#callers).find((caller) => caller.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  takeTimes(): readonly number[] {
    const times = this.#times;
    this.#times = [];
    return times;
  }

  async #callOn(): Promise<void> {
    const { random, targets, simulation } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const all = targets();
      const url = all[random.below(all.length)] ?? null;
      if (url !== null) await this.#call(url, randomCall(random, simulation));
      await sleep(PAUSE_MS);
    }
  }

  async #call(url: string, call: Call): Promise<void> {
    const startMs = performance.now();
    let response: Response;
    let body: string;
    try {
      response = await fetch(`${url}/v3/k`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }),
      });
      body = await response.text();
    } catch {
      this.lost += 1;
      return;
    }
    if (response.status === 503) {
      this.refused += 1;
      return;
    }
    this.#times.push(performance.now() - startMs);
    this.answered += 1;
    await this.#compare(call, response, body);
  }

  async #compare(call: Call, response: Response, body: string): Promise<void> {
    const { model, simulation } = this.#options;
    const reported = response.headers.get("x-slot");
    // A call that is refused before anything is read does not depend on a slot.
    const store = await model.at(reported === null ? simulation.genesis.slot : Number(reported));
    const wanted = await answerOver({ openView: () => store.openView() }, call, {
      assetCommitment,
      apiVersion,
    });
    const { error } = JSON.parse(body) as { error?: { code: number; message: string; data?: unknown } };
    const updated = response.headers.get("x-updated-slot");
    const result = body.slice('{"jsonrpc":"2.0","result":'.length, -',"id":1}'.length);
    const got =
      error === undefined
        ? resultText(result, updated === null ? null : Number(updated))
        : refusalText(error);
    const asked = `${response.status} slot ${reported} ${JSON.stringify(call)}: `;
    expect(asked + got).toBe(`200 slot ${reported} ${JSON.stringify(call)}: ${wanted}`);
  }
}
