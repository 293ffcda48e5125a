export { GrowingBytes } from "./bytes/growing-bytes.ts";
export { decodeZeroRuns, decodeZeroRunsStart, encodeZeroRuns, writeZeroRuns } from "./bytes/zero-runs.ts";
export { decodeAddress, findAddress } from "./base58/decode-address.ts";
export { encodeAddress, encodeBase58 } from "./base58/encode-base58.ts";
export {
  assetPrograms,
  isTokenProgram,
  programAddresses,
  programAddressTexts,
  sameBytes,
} from "./programs/addresses.ts";
export {
  sysvarAddresses,
  sysvarAddressTexts,
  transactionPrograms,
  validatorInfoKey,
} from "./programs/addresses.ts";
export { decodeMint, type Mint } from "./token/decode-mint.ts";
export { decodeMultisig, type Multisig } from "./token/decode-multisig.ts";
export {
  decodeTokenAccount,
  delegateOf,
  isTokenAccount,
  type TokenAccount,
} from "./token/decode-token-account.ts";
export { accountTypes, tokenAccountLayout } from "./token/token-layout.ts";
export { isOnCurve } from "./pda/is-on-curve.ts";
export { deriveProgramAddress, findProgramAddress, type ProgramAddress } from "./pda/program-address.ts";
export { decodeMetadata, type Metadata } from "./token-metadata/decode-metadata.ts";
export {
  decodeEditionAccount,
  type EditionAccount,
  type MasterEditionAccount,
} from "./token-metadata/decode-edition.ts";
export { metadataAccountKeys } from "./token-metadata/account-keys.ts";
export {
  editionAddress,
  isEditionAddress,
  isMetadataAddress,
  metadataAddress,
} from "./token-metadata/metadata-addresses.ts";
export {
  decodeLibreplexInscription,
  isLibreplexRecordAddress,
  type LibreplexInscription,
  libreplexRecordAddress,
} from "./inscription/decode-libreplex-inscription.ts";
export {
  type CoreAccount,
  type CoreAsset,
  type CoreCollection,
  type CoreGroup,
  decodeCoreAccount,
} from "./mpl-core/decode-core-account.ts";
export type { AdapterSchema, ExternalAdapter, ExtraAccount, Seed } from "./mpl-core/external-adapters.ts";
export type {
  CorePlugin,
  ExternalPlugin,
  PluginArea,
  UnknownExternalPlugin,
  UnknownPlugin,
} from "./mpl-core/plugin-area.ts";
export type { PluginAuthority } from "./mpl-core/plugin-authority.ts";
export type { CorePluginData, CorePluginKind } from "./mpl-core/plugins.ts";
export type { LifecycleCheck } from "./mpl-core/registry.ts";
export { decodeMsgPack } from "./msgpack/decode-msgpack.ts";
export { decodeLookupTable } from "./address-lookup-table/decode-lookup-table.ts";
export { decodeValidatorInfo } from "./config/decode-validator-info.ts";
export { decodeNonce } from "./nonce/decode-nonce.ts";
export { decodeStake, type StakeDelegation, type StakeMeta } from "./stake/decode-stake.ts";
export { decodeClock, decodeSysvar, type Sysvar } from "./sysvar/decode-sysvar.ts";
export {
  decodeExtension,
  type Extension,
  findExtension,
  type InterestBearingConfig,
  type ScaledUiAmountConfig,
  type TransferFee,
} from "./token-2022/decode-extension.ts";
export {
  decodeTokenMetadata,
  findTokenMetadata,
  type TokenMetadataExtension,
} from "./token-2022/decode-token-metadata.ts";
export {
  type ExtensionHost,
  type ExtensionLayout,
  extensionLayouts,
  type ExtensionName,
  type FieldKind,
  type FixedExtensionName,
} from "./token-2022/extension-layouts.ts";
export { listExtensions } from "./token-2022/walk-extensions.ts";
export { decodeUpgradeableLoader } from "./upgradeable-loader/decode-upgradeable-loader.ts";
export { decodeVote } from "./vote/decode-vote.ts";
export { decodeBase58 } from "./base58/decode-base58.ts";
export { pathNode } from "./account-compression/change-log.ts";
export { emptyNode, hashNodes } from "./account-compression/merkle.ts";
export {
  canopyNode,
  levelsBelowCanopy,
  findTreeAccount,
  treePrograms,
  treeTopOf,
  type TreeTop,
} from "./account-compression/tree-account.ts";
export { deriveAssetId, isTreeConfigAddress } from "./bubblegum/asset-id.ts";
export { type BubblegumCall, findBubblegumCalls } from "./bubblegum/find-bubblegum-calls.ts";
export { emptyHash, hashCollection, hashCreators, hashLeaf, hashMetadata } from "./bubblegum/hashes.ts";
export { instructionShapes } from "./bubblegum/instruction-table.ts";
export { type Leaf, leafFlags } from "./bubblegum/leaf-schema.ts";
export {
  encodeMetadata,
  type LeafMetadata,
  type LeafMetadataV1,
  type LeafMetadataV2,
} from "./bubblegum/metadata-args.ts";
export { BorshWriter } from "./borsh/borsh-writer.ts";
export { keccak256 } from "./keccak/keccak256.ts";
export { type CallFault, type LeafChange, type LedgerChange, proveCall } from "./bubblegum/prove-call.ts";
export {
  decodeWireTransaction,
  type WireInstruction,
  type WireTransaction,
} from "./transaction/decode-wire-transaction.ts";
export type { SlotHistory } from "./sysvar/slot-history.ts";
