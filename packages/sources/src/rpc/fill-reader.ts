import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { Account, Slot, SlotRate } from "@lamplight/core";
import { accountOfRow } from "./account-row.ts";
import { ChainChecks } from "./chain-checks.ts";
import { asked, parseEndpoint, type RpcEndpoint } from "./endpoint.ts";
import { ACCOUNTS_PER_CALL_MAX, PAGES_AT_ONCE_MAX } from "./limits.ts";
import { addressAt, placeOf } from "../place.ts";
import type { ProgramAccounts, ProgramBatch, ProgramPlaces } from "./program-accounts.ts";
import { programScan } from "./program-regions.ts";
import { readRows } from "./read-accounts.ts";
import { type AccountPage, type PageContext, readPages } from "./read-pages.ts";
import { readProgramPlaces } from "./read-program-places.ts";
import type { HistoryContext, TreeHistory } from "./tree-history.ts";
import { RpcClient } from "./rpc-client.ts";
import type { RpcBase } from "./rpc-options.ts";
import { SlotHorizon } from "./slot-horizon.ts";

export interface FillReaderOptions {
  /** URL of an ordinary RPC node, `https://` or `http://`. Its secrets are never reported. */
  readonly url: string;
  readonly signal: AbortSignal;
  /** Slots a second of the chain, for bounds that are times. */
  readonly rate: SlotRate;
}

/**
 * Reads what a store lacks from an ordinary RPC node. Of a program, it reads the addresses first, then a few hundred accounts
 * at a time. So memory holds the addresses of one program, and not its accounts.
 */
export class FillReader {
  readonly #endpoint: RpcEndpoint;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #horizon: SlotHorizon;
  readonly #signal: AbortSignal;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor({ url, signal, rate }: FillReaderOptions) {
    this.#endpoint = parseEndpoint(url, ["https:", "http:"]);
    this.#signal = signal;
    this.#client = new RpcClient(this.#endpoint, signal);
    this.#checks = new ChainChecks(this.#client, this.#endpoint.name);
    this.#horizon = new SlotHorizon(rate);
  }

  /**
   * @param program - base58 text
   * @param minSlot - the answers are of this slot or a later one
   * @param base - what is known of the chain of the store
   * @param after - place of the last account that is not needed any more; null = all are needed
   * @throws LamplightError `SOURCE__REFUSED` for a node of another chain; `SOURCE__DOWNLOAD` when it does not answer.
   * The batches throw the same
   */
  read(
    program: string,
    minSlot: Slot,
    base: Pick<RpcBase, "watermark" | "chain">,
    after: string | null,
  ): Promise<ProgramAccounts> {
    return asked(this.#endpoint, async () => {
      await this.#checks.assertSameChain(base, this.#signal);
      // The last reading may be long ago.
      this.#horizon.forget();
      await this.#horizon.find(this.#client, this.#signal);
      const { slot, places } = await readProgramPlaces(program, this.#context(minSlot));
      return { count: places.countAfter(after), batches: this.#batches(program, slot, places, after) };
    });
  }

  /**
   * Reads a whole program with one scan, as each round of following does. The accounts come in the order of `read`, so that
   * a run by either can go on where the other has ended.
   *
   * @param program - base58 text
   * @param base - what is known of the chain of the store
   * @throws LamplightError as `read`
   */
  readAtOnce(program: string, base: Pick<RpcBase, "watermark" | "chain">): Promise<readonly Account[]> {
    return asked(this.#endpoint, async () => {
      await this.#checks.assertSameChain(base, this.#signal);
      this.#horizon.forget();
      await this.#horizon.find(this.#client, this.#signal);
      const scan = programScan(decodeAddress(program));
      const accounts: (readonly [place: string, account: Account])[] = [];
      await readRows(scan, this.#context(base.watermark?.slot ?? 0), (row, slot) => {
        const account = accountOfRow(row, slot);
        if (account.lamports > 0n && scan.covers(account)) accounts.push([placeOf(account.address), account]);
      });
      return accounts.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, account]) => account);
    });
  }

  /**
   * Reads the finalized transactions of a tree, oldest first, up to the slot of the store at least.
   *
   * @param history - how far the tree is read; after an error, the next call goes on with it
   * @param base - what is known of the chain of the store
   * @param onProblem - called for a transaction that cannot be read
   * @throws LamplightError as `read`
   */
  readTree(
    history: TreeHistory,
    base: Pick<RpcBase, "watermark" | "chain">,
    { emit, onProblem }: Pick<HistoryContext, "emit" | "onProblem">,
  ): Promise<void> {
    return asked(this.#endpoint, async () => {
      await this.#checks.assertSameChain(base, this.#signal);
      this.#horizon.forget();
      await this.#horizon.find(this.#client, this.#signal);
      const context = { ...this.#context(base.watermark?.slot ?? 0), emit, onProblem, onProgress: () => {} };
      await history.catchUp(context);
    });
  }

  /**
   * Checks that the node has this block, and is of the chain of the store.
   *
   * @throws LamplightError as `read`
   */
  assertBlock(
    block: { readonly slot: Slot; readonly blockhash: string },
    base: Pick<RpcBase, "watermark" | "chain">,
  ): Promise<void> {
    return asked(this.#endpoint, async () => {
      await this.#checks.assertSameChain(base, this.#signal);
      await this.#checks.assertBlock(block, this.#signal);
    });
  }

  close(): void {
    this.#client.close();
  }

  /** An account that is gone, or has another owner, ended after its address was read: what follows the chain knows it. */
  async *#batches(
    program: string,
    minSlot: Slot,
    places: ProgramPlaces,
    after: string | null,
  ): AsyncGenerator<ProgramBatch> {
    for (const list of places.listsAfter(after, ACCOUNTS_PER_CALL_MAX * PAGES_AT_ONCE_MAX)) {
      const addresses = list.map((place) => encodeAddress(addressAt(place)));
      const found = new Map<string, Account>();
      const take = ({ slot, rows }: AccountPage): void => {
        for (const { address, row } of rows)
          if (row?.account.owner === program) found.set(address, accountOfRow(row, slot));
      };
      await asked(this.#endpoint, () => readPages(addresses, this.#context(minSlot), take));
      const accounts = addresses.flatMap((address) => found.get(address) ?? []);
      yield { slot: accounts.reduce((newest, { slot }) => Math.max(newest, slot), minSlot), accounts };
    }
  }

  #context(minSlot: Slot): PageContext {
    const [client, horizon, signal] = [this.#client, this.#horizon, this.#signal];
    return { client, horizon, commitment: "finalized", minSlot, signal };
  }
}
