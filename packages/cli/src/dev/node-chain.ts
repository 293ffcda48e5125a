import { setTimeout as sleep } from "node:timers/promises";
import type { IndexStore } from "@lamplight/core";
import { apiVersion } from "@lamplight/server/command";
import { openStoreForWriting } from "@lamplight/runtime";
import { followChain, type Following, type RpcUpstream } from "@lamplight/runtime/follow";
import { keepNodes } from "@lamplight/indexer";
import { createLoopbackFetcher, OffchainWorker } from "@lamplight/offchain";
import { assertNodeAnswers } from "@lamplight/sources/rpc";

export interface NodeChainOptions {
  /** A file that is made. */
  readonly file: string;
  readonly rpc: RpcUpstream;
  /** Origins on this machine that metadata documents may be fetched from. */
  readonly documentsOrigins: readonly string[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The node is small and near: closed accounts are found soon. */
const RESCAN_MS = 5000;
/** Milliseconds between two polls for a filled store. */
const POLL_MS = 50;

/** Everything that a node has, followed into a store of its own. */
export class NodeChain {
  readonly live: Following;
  readonly #stopping = new AbortController();
  readonly #documents: Promise<void>;

  private constructor(live: Following, store: IndexStore, { documentsOrigins, say }: NodeChainOptions) {
    this.live = live;
    this.#documents = fetchDocuments(store, documentsOrigins, this.#stopping.signal).catch((error: unknown) =>
      say(`documents are not fetched any more: ${String(error)}`),
    );
  }

  /** Resolves when the first answers can be given. @throws LamplightError where the node does not answer */
  static async open(options: NodeChainOptions): Promise<NodeChain> {
    const { file, rpc, say, signal } = options;
    await assertNodeAnswers(rpc.url, signal);
    const store = `sqlite:${file}`;
    const writer = await openStoreForWriting(store, { create: true, follows: true, onProblem: say });
    // The store is empty, so that no nodes of earlier changes are missing.
    await keepNodes(writer);
    const live = await followChain(
      writer,
      { kind: "rpc", ...rpc, rescanMs: rpc.rescanMs ?? RESCAN_MS },
      {
        store,
        withSearch: true,
        callsForever: false,
        say,
        inform: () => {},
      },
    );
    try {
      await Promise.race([live.ended, filled(live, signal)]);
      return new NodeChain(live, writer, options);
    } catch (error) {
      await live.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#documents;
    await this.live.stop();
  }
}

const filled = async (live: Following, signal: AbortSignal): Promise<void> => {
  while (live.finalizedSlot === null) await sleep(POLL_MS, undefined, { signal });
};

/** Until the signal aborts; without origins there is nothing to do. */
const fetchDocuments = async (
  store: IndexStore,
  origins: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const { offchain } = store;
  if (origins.length === 0 || offchain === undefined) return;
  const fetcher = createLoopbackFetcher(origins, { userAgent: `lamplight/${apiVersion}` });
  await new OffchainWorker({ store: offchain, index: store, fetcher }).run(signal);
};
