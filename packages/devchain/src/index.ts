export { ChainWorld } from "./chain-world/chain-world.ts";
export type { WorldState } from "./chain-world/world-state.ts";
export { onlyProperties } from "./chain-world/known-properties.ts";
export { type AddressLike, readAddress, readU64, readWhole } from "./input.ts";
export type { InscriptionInput } from "./chain-world/inscriptions.ts";
export {
  type AssetKind,
  assetKinds,
  type CollectionInput,
  type CollectionKind,
  type FreezeChoice,
  type HoldingChoice,
  type MintInput,
  type UpdateInput,
} from "./chain-world/mint-input.ts";
export type { Wallet } from "./chain-world/wallet.ts";
export { type ChainCounts, countsForAccounts } from "./chain-options.ts";
export { demoAddresses, demoChain, demoOptions } from "./demo-chain.ts";
export { type ChainBatch, generateChain } from "./generate-chain.ts";
export { encodeCoreAsset, encodeCoreCollection } from "./encode/mpl-core.ts";
export { encodeEdition, encodeMasterEdition } from "./encode/token-metadata.ts";
export { LivingChain } from "./living-chain/living-chain.ts";
export { writeDocument } from "./parts/document.ts";
export type { WorldSlot } from "./chain-world/slots.ts";
export { Random } from "./random.ts";
export { BubblegumTree } from "./simulation/bubblegum-tree.ts";
export { noop } from "./simulation/bubblegum-payloads.ts";
export { addressOf, metadataV1, metadataV2 } from "./simulation/leaf-samples.ts";
export { ChainSimulation } from "./simulation/chain-simulation.ts";
export type { SimulatedBlock } from "./simulation/simulated-block.ts";
export { lastWrites } from "./simulation/emit-block.ts";
export { writeAccountFiles } from "./snapshot/write-account-files.ts";
export { archivePieces, writeArchive, type WrittenStorage } from "./snapshot/write-archive.ts";
export { writeFrames } from "./snapshot/write-frames.ts";
export { type ManifestEra, type ManifestParts, writeManifest } from "./snapshot/write-manifest.ts";
export { recordBytes, writeRecord, writeStorage } from "./snapshot/write-storage.ts";
export { signHeader, tarEnd, tarEntry } from "./snapshot/write-tar.ts";
