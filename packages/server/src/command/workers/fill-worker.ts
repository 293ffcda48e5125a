// A thread that fills the search index for all workers, and ends: what only filling needs is given back with it.
import { parentPort, workerData } from "node:worker_threads";
import { fillSharedIndex } from "@lamplight/runtime/views";

import type { ServeSettings } from "../../config/settings.ts";
import { PortCalls } from "./port-calls.ts";
import { workerLog } from "./worker-log.ts";
import { toMain } from "./worker-messages.ts";

/** In logs: it is none of the workers. */
const FILLING = 0;

const { store, searchCache } = workerData as Pick<ServeSettings, "searchCache" | "store">;
const calls = new PortCalls(parentPort!, {});
const log = workerLog(FILLING, calls);
await calls.call(toMain.searchIndex, await fillSharedIndex(store, { searchCache, log }));
parentPort!.close();
