import type { Account, Slot, SlotRate } from "@lamplight/core";
import { accountOfRow } from "./account-row.ts";
import { ChainChecks } from "./chain-checks.ts";
import { asked, parseEndpoint, type RpcEndpoint } from "./endpoint.ts";
import { readRows } from "./read-accounts.ts";
import { RpcClient } from "./rpc-client.ts";
import type { RpcBase } from "./rpc-options.ts";
import { SlotHorizon } from "./slot-horizon.ts";

export interface ProgramReaderOptions {
  /** URL of an ordinary RPC node, `https://` or `http://`. Its secrets are never reported. */
  readonly url: string;
  readonly signal: AbortSignal;
  /** Slots a second of the chain, for bounds that are times. */
  readonly rate: SlotRate;
}

/** Accounts of a program at one finalized slot. The slot of their last writes is not known, so each has that slot. */
export interface ReadProgram {
  readonly slot: Slot;
  readonly accounts: readonly Account[];
}

/** Reads all accounts of a program from an ordinary RPC node. */
export class ProgramReader {
  readonly #endpoint: RpcEndpoint;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #horizon: SlotHorizon;
  readonly #signal: AbortSignal;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor({ url, signal, rate }: ProgramReaderOptions) {
    this.#endpoint = parseEndpoint(url, ["https:", "http:"]);
    this.#signal = signal;
    this.#client = new RpcClient(this.#endpoint, signal);
    this.#checks = new ChainChecks(this.#client, this.#endpoint.name);
    this.#horizon = new SlotHorizon(rate);
  }

  /**
   * The node answers with all of them at once, so memory holds one program.
   *
   * @param program - base58 text
   * @param minSlot - the answer is of this slot or a later one
   * @param base - what is known of the chain of the store
   * @throws LamplightError `SOURCE__REFUSED` for a node of another chain; `SOURCE__DOWNLOAD` when it does not answer
   */
  read(program: string, minSlot: Slot, base: Pick<RpcBase, "watermark" | "chain">): Promise<ReadProgram> {
    return asked(this.#endpoint, () => this.#read(program, minSlot, base));
  }

  close(): void {
    this.#client.close();
  }

  async #read(
    program: string,
    minSlot: Slot,
    base: Pick<RpcBase, "watermark" | "chain">,
  ): Promise<ReadProgram> {
    await this.#checks.assertSameChain(base, this.#signal);
    // The last reading may be long ago.
    this.#horizon.forget();
    await this.#horizon.find(this.#client, this.#signal);
    const accounts: Account[] = [];
    const context = {
      client: this.#client,
      horizon: this.#horizon,
      commitment: "finalized",
      minSlot,
      signal: this.#signal,
    } as const;
    const slot = await readRows({ program, filters: [] }, context, (row, at) => {
      accounts.push(accountOfRow(row, at));
    });
    return { slot, accounts };
  }
}
