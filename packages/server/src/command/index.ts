// The part of the server package that commands need before they know whether they serve: loads no server.
export { exitCodes, reportFailure } from "./failure.ts";
export { firstSentence, parseFlags, parseWords, usageError } from "./command-line.ts";
export { serveUsage } from "./serve-flags.ts";
export { openOrEnd, untilStopSignal } from "./stop-signal.ts";
export { type OpenedReader, openStoreForReading, openStoreForWriting } from "./open-store.ts";
export { isPostgresUrl, nameOfStore, parseStoreUrl, type StoreAddress } from "./store-url.ts";
export { apiVersion } from "../version.ts";
