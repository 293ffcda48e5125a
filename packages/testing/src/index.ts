export { createTestChain } from "./create-test-chain.ts";
export type { AdvanceChoice, TestChainOptions } from "./test-chain-options.ts";
export type { ListenOptions, Listening } from "./access/listen.ts";
export type { ClonedAsset, CloneOptions, CloneSource } from "./clone.ts";
export type { Fault } from "./faults.ts";
export type { ChainSnapshot } from "./chain-snapshot.ts";
export type { TestChain } from "./test-chain.ts";
export type { NewAccount } from "./new-account.ts";
export type { SlotEvent, SlotListener } from "./slot-listeners.ts";
export type { AssetConfig, TestAsset, TestAssetKind } from "./test-asset.ts";
export type { TestToken } from "./test-token.ts";
export type { ChainTransport } from "./access/transport.ts";
export type { Attached } from "./svm/attach-svm.ts";
export type { LiteSvmLike } from "./svm/lite-svm.ts";
export type {
  AddressLike,
  AssetKind,
  CollectionInput,
  CollectionKind,
  FreezeChoice,
  HoldingChoice,
  InscriptionInput,
  MintInput,
  UpdateInput,
  Wallet,
} from "@lamplight/devchain";
export { HttpError, RpcError } from "@lamplight/client";
export type { Client, RetryPolicy } from "@lamplight/client";
export { isLamplightError, LamplightError } from "@lamplight/errors";
