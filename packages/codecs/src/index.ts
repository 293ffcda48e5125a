export { decodeZeroRuns, decodeZeroRunsStart, encodeZeroRuns, writeZeroRuns } from "./bytes/zero-runs.ts";
export { decodeAddress, findAddress } from "./base58/decode-address.ts";
export { encodeAddress, encodeBase58 } from "./base58/encode-base58.ts";
export { isTokenProgram, programAddresses, programAddressTexts, sameBytes } from "./programs/addresses.ts";
export { sysvarAddresses, sysvarAddressTexts, validatorInfoKey } from "./programs/addresses.ts";
export { decodeMint, type Mint } from "./token/decode-mint.ts";
export { decodeMultisig, type Multisig } from "./token/decode-multisig.ts";
export {
  decodeTokenAccount,
  delegateOf,
  isTokenAccount,
  type TokenAccount,
} from "./token/decode-token-account.ts";
export {
  deriveProgramAddress,
  findProgramAddress,
  isOnCurve,
  type ProgramAddress,
} from "./pda/program-address.ts";
export {
  decodeMetadata,
  type Metadata,
  type MetadataCreator,
  type TokenStandard,
  tokenStandards,
  type UseMethod,
  useMethods,
} from "./token-metadata/decode-metadata.ts";
export {
  decodeEditionAccount,
  decodeEditionMarker,
  type EditionAccount,
  type EditionMarkerAccount,
  editionsPerMarker,
  isEditionTaken,
  type MasterEditionAccount,
} from "./token-metadata/decode-edition.ts";
export {
  type CollectionAuthorityRecord,
  decodeMetadataRecord,
  type DelegateRecord,
  type MetadataRecord,
  type TokenDelegateRole,
  type TokenOwnedEscrow,
  type TokenRecord,
  type TokenRecordState,
  type UseAuthorityRecord,
} from "./token-metadata/decode-record.ts";
export { metadataAccountKeys } from "./token-metadata/account-keys.ts";
export {
  editionAddress,
  editionMarkerAddress,
  editionMarkerV2Address,
  metadataAddress,
  tokenRecordAddress,
} from "./token-metadata/metadata-addresses.ts";
export {
  decodeLibreplexInscription,
  type LibreplexInscription,
} from "./inscription/decode-libreplex-inscription.ts";
export {
  type CoreAccount,
  type CoreAsset,
  type CoreCollection,
  type CoreGroup,
  type CoreUpdateAuthority,
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
export type { DataRange, LifecycleCheck } from "./mpl-core/registry.ts";
export { decodeMsgPack, type MsgPackValue } from "./msgpack/decode-msgpack.ts";
export { decodeLookupTable, type LookupTable } from "./address-lookup-table/decode-lookup-table.ts";
export { decodeValidatorInfo, type ValidatorInfo } from "./config/decode-validator-info.ts";
export { decodeNonce, type NonceAccount } from "./nonce/decode-nonce.ts";
export {
  decodeStake,
  type StakeAccount,
  type StakeDelegation,
  type StakeMeta,
} from "./stake/decode-stake.ts";
export { type Clock, decodeClock, decodeSysvar, type Sysvar } from "./sysvar/decode-sysvar.ts";
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
export { findExtensionValue, listExtensions } from "./token-2022/walk-extensions.ts";
export {
  decodeUpgradeableLoader,
  type UpgradeableLoaderAccount,
} from "./upgradeable-loader/decode-upgradeable-loader.ts";
export { decodeVote, type VoteAccount } from "./vote/decode-vote.ts";
export { decodeBase58 } from "./base58/decode-base58.ts";
export { findTreeAccount, type TreeAccount } from "./account-compression/tree-account.ts";
export { findBubblegumAccount, type TreeConfig, type Voucher } from "./bubblegum/bubblegum-accounts.ts";
export { deriveAssetId } from "./bubblegum/asset-id.ts";
export { type BubblegumCall, findBubblegumCalls } from "./bubblegum/find-bubblegum-calls.ts";
export {
  emptyHash,
  hashAssetData,
  hashCollection,
  hashCreators,
  hashLeaf,
  hashMetadata,
} from "./bubblegum/hashes.ts";
export { type InstructionShape, instructionShapes } from "./bubblegum/instruction-table.ts";
export { type Leaf, leafFlags, type LeafV1, type LeafV2 } from "./bubblegum/leaf-schema.ts";
export {
  encodeMetadata,
  type LeafCollection,
  type LeafCreator,
  type LeafMetadata,
  type LeafMetadataV1,
  type LeafMetadataV2,
  type LeafUses,
} from "./bubblegum/metadata-args.ts";
export { BorshWriter } from "./borsh/borsh-writer.ts";
export { keccak256 } from "./keccak/keccak256.ts";
export {
  type CallFault,
  isMetadataOf,
  type LeafChange,
  type LedgerChange,
  proveCall,
  type ProvedCall,
} from "./bubblegum/prove-call.ts";
export {
  decodeWireTransaction,
  type WireInstruction,
  type WireTransaction,
} from "./transaction/decode-wire-transaction.ts";
export type { SlotHistory } from "./sysvar/slot-history.ts";
