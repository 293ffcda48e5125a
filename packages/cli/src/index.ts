export { chooseDemoAddress } from "./commands/demo-flags.ts";
export { copyStore } from "./copy/copy-store.ts";
export { openStoreExport, openStoreImport } from "./copy/open-copy.ts";
export {
  loadSnapshot,
  type LoadSnapshotOptions,
  type LoadSnapshotSummary,
} from "./snapshot/load-snapshot.ts";
