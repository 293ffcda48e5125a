export * from "./domain/account.ts";
export * from "./domain/account-batch.ts";
export { deriveAccountFacts, noAccountFacts } from "./domain/account-facts.ts";
export * from "./domain/address.ts";
export { AddressMap, AddressSet, hashAddress } from "./domain/address-map.ts";
export { type AssetCursor, decodeAssetCursor, encodeAssetCursor } from "./domain/asset-cursor.ts";
export * from "./domain/asset.ts";
export type { ChainEvent } from "./domain/chain-event.ts";
export type { HoleFilling } from "./domain/hole-filling.ts";
export type { ConfirmedEvent } from "./domain/confirmed-event.ts";
export * from "./domain/coverage.ts";
export * from "./domain/edition.ts";
export {
  isHeldAt,
  isListedWithdrawer,
  isNonCirculatingAccount,
  type LockupClock,
  nonCirculatingAccounts,
} from "./domain/non-circulating.ts";
export * from "./domain/search.ts";
export * from "./domain/transaction.ts";
export * from "./domain/tree-state.ts";
export * from "./ports/account-reader.ts";
export * from "./ports/asset-reader.ts";
export type { BulkEncoder, BulkLoad } from "./ports/bulk-load.ts";
export type { AssetWithEditions, DerivedAssets, DerivedLinks } from "./ports/derived-pages.ts";
export type { DerivedWrites, Encoded } from "./ports/derived-writes.ts";
export * from "./ports/index-store.ts";
export * from "./ports/offchain-store.ts";
export * from "./ports/read-view.ts";
export * from "./ports/store-copy.ts";
export * from "./ports/term-reader.ts";
export * from "./ports/unrooted-store.ts";
export { foreignJsonBounds, type JsonBounds, parseForeignJson } from "./json/foreign-json.ts";
export { JsonFloat, JsonRaw, type JsonValue } from "./json/json-text.ts";
export { type CallContext, type MethodSettings, type Profile, RequestViews } from "./methods/call-context.ts";
export { createMethodSettings, type MethodSettingsOptions } from "./methods/call-context.ts";
export { nearestName } from "./params/nearest-name.ts";
export { floatDisplayText, floatText } from "./json/float-text.ts";
export { InexactNumber, parseExact } from "./json/parse-exact.ts";
export { writeJson } from "./json/write-json.ts";
export { type MintView, mintViewOf, nativeMintView, viewOfMint } from "./amount/mint-view.ts";
export { shapeTokenAmount } from "./amount/shape-token-amount.ts";
export { sliceData, type SliceBounds } from "./encoding/slice-data.ts";
export { encodeZstd } from "./encoding/zstd.ts";
export { type AmountContext, mintNeededBy, parseAccount } from "./parsed/parse-account.ts";
export { answerCall, callMethod, methodNames } from "./methods/call-method.ts";
