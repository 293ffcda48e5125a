export { compareSnapshot, type SnapshotComparison } from "./compare-snapshot.ts";
export { receiptLines } from "./load-receipt.ts";
export { loadSnapshot, type LoadSnapshotOptions, type LoadSnapshotSummary } from "./load-snapshot.ts";
export { type SnapshotFilter, stageSelectionOf } from "./snapshot-filter.ts";
export { stageArchives } from "./stage-archives.ts";
export { verifyReceipt } from "./verify-receipt.ts";
