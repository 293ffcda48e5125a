// Processes need this before they follow or serve. It loads no engine of a store.
export { type CopyCounts, copyStore } from "./copy/copy-store.ts";
export { openStoreExport, openStoreImport } from "./copy/open-copy.ts";
export { engineOf, nameOfStore, openKeyTables } from "./engine/engines.ts";
export { defaultSearchCache } from "./engine/search-cache.ts";
export type { KeyTables, OpenedReader, StoreUse } from "./engine/store-engine.ts";
export type { SnapshotPlace } from "./snapshot/program-messages.ts";
export { createStageReporter, type StageReporter } from "./process/load-stages.ts";
export { createProgress, type Progress, type ProgressOutput } from "./process/progress.ts";
export { ignoreDebuggerSignal, openOrEnd, untilStopSignal } from "./process/stop-signal.ts";
export { runStoppable } from "./process/stoppable.ts";
export { openWhenFree } from "./store/open-when-free.ts";
export { assertStoreUsable } from "./store/assert-store-usable.ts";
export { problemWord, whenStoreAvailable } from "./store/when-store-available.ts";
export { openDocuments } from "./store/open-documents.ts";
export { openStoreForReading, openStoreForWriting } from "./store/open-store.ts";
