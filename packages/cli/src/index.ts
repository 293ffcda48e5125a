export type { Command } from "./command.ts";
export { commandLoaders } from "./registry.ts";
export {
  loadSnapshot,
  type LoadSnapshotOptions,
  type LoadSnapshotSummary,
} from "./snapshot/load-snapshot.ts";
