/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { Worker } from "node:worker_threads";
import type { fillSharedIndex } from "@lamplight/runtime/views";

import type { ServeSettings } from "../../config/settings.ts";
import { PortCalls, type PortHandler } from "./port-calls.ts";
import { toMain } from "./worker-messages.ts";

const fillUrl = new URL(`./fill-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

type Filled = Awaited<ReturnType<typeof fillSharedIndex>>;

const failed = "the search index cannot be filled for all workers";

/** The search index that one thread fills, or reads from its file, for all workers. */
export class FilledIndex {
  /** Null where filling failed: every worker then fills one by itself. */
  readonly shared: Promise<Filled>;
  readonly #worker: Worker;

  constructor({ store, searchCache }: Pick<ServeSettings, "searchCache" | "store">, log: PortHandler) {
    const { promise, resolve } = Promise.withResolvers<Filled>();
    this.shared = promise;
    this.#worker = new Worker(fillUrl, { workerData: { store, searchCache }, name: "lamplight-fill" });
    const calls = new PortCalls(this.#worker, {
      [toMain.log]: log,
      [toMain.searchIndex]: (shared: Filled) => resolve(shared),
    });
    // Each worker then fills one by itself, and says what is wrong with the store.
    this.#worker.on("error", (error: Error) =>
      log({ level: "error", fields: { err: error }, message: failed }),
    );
    this.#worker.once("exit", () => {
      calls.close(new Error(failed));
      resolve(null);
    });
  }

  /** Ends a fill that is under way: the next start restarts it. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
