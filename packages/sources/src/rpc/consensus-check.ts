import { programAddressTexts } from "@lamplight/codecs";
import { type Consensus, GENESIS_CERTIFICATE_ADDRESS } from "@lamplight/core";
import { parseRow } from "./account-row.ts";
import { CONSENSUS_ASK_MS } from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { isMissingMethod } from "./rpc-fault.ts";

/** Finds out how a node's cluster agrees on its blocks. A cluster may change to Alpenglow, and never back. */
export class ConsensusCheck {
  readonly #client: RpcClient;
  readonly #signal: AbortSignal;
  #askedMs = -Infinity;
  #found: Consensus | null = null;

  constructor(client: RpcClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Null = not known: the node does not have the method, or did not answer yet. */
  get found(): Consensus | null {
    return this.#found;
  }

  /** Callers call it often; it asks the node now and then. */
  refresh(): void {
    if (this.#found === "alpenglow" || performance.now() < this.#askedMs + CONSENSUS_ASK_MS) return;
    this.#askedMs = performance.now();
    // Nothing depends on the answer but what readiness shows.
    void this.#ask().catch(() => {});
  }

  async #ask(): Promise<void> {
    let certificate: unknown;
    try {
      certificate = await this.#call("getAgGenesisCert", []);
    } catch (error) {
      // A node before 4.2, or a provider that refuses new methods: no evidence of TowerBFT.
      if (!isMissingMethod(error)) throw error;
      if (await this.#hasAccount()) this.#found = "alpenglow";
      return;
    }
    if (certificate === null) this.#found = "towerbft";
    else if (typeof certificate === "object") this.#found = "alpenglow";
  }

  async #hasAccount(): Promise<boolean> {
    const config = { encoding: "base64", commitment: "finalized" };
    const answer = await this.#call("getAccountInfo", [GENESIS_CERTIFICATE_ADDRESS, config]);
    const { value } = (answer ?? {}) as { readonly value?: unknown };
    if (value === null || value === undefined) return false;
    const { account } = parseRow(GENESIS_CERTIFICATE_ADDRESS, value);
    return account.owner === programAddressTexts.system && account.data[0] !== "";
  }

  #call(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#client.call(method, params, { attemptsMax: 1, signal: this.#signal });
  }
}
