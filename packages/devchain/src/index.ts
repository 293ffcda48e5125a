export { type ChainCounts, type ChainOptions, countsForAccounts } from "./chain-options.ts";
export {
  DEMO_CHAIN_VERSION,
  demoAddresses,
  type DemoAddressName,
  demoChain,
  demoOptions,
} from "./demo-chain.ts";
export { type ChainBatch, generateChain } from "./generate-chain.ts";
export { Random } from "./random.ts";
export { addressOf, BubblegumTree, metadataV1, metadataV2, noop } from "./simulation/bubblegum-tree.ts";
export {
  ChainSimulation,
  type SimulatedBlock,
  type SimulationOptions,
} from "./simulation/chain-simulation.ts";
export { lastWrites } from "./simulation/tell-block.ts";
export {
  archiveEntries,
  archivePieces,
  type ArchiveParts,
  writeArchive,
  type WrittenStorage,
} from "./snapshot/write-archive.ts";
export {
  bankHashOf,
  blockhashOf,
  type ListedStorage,
  type ManifestEra,
  type ManifestParts,
  writeManifest,
} from "./snapshot/write-manifest.ts";
export { recordBytes, type RecordNoise, writeRecord, writeStorage } from "./snapshot/write-storage.ts";
export { paddingOf, signHeader, tarEnd, tarEntry, type TarFile } from "./snapshot/write-tar.ts";
