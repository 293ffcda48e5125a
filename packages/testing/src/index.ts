export { type TestChainOptions, createTestChain } from "./create-test-chain.ts";
export type { ListenOptions, Listening } from "./access/listen.ts";
export type { Fault } from "./faults.ts";
export type { AdvanceChoice, ChainSnapshot, NewAccount, TestChain } from "./test-chain.ts";
export type { AssetConfig, TestAsset, TestAssetKind } from "./test-asset.ts";
export type { TestToken } from "./test-token.ts";
export type { Attached, LiteSvmLike } from "./attach-svm.ts";
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
export type { Client } from "@lamplight/client";
export { isLamplightError, LamplightError } from "@lamplight/errors";
