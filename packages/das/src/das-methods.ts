import { ContractMethods, type Method } from "@lamplight/core";
import * as contract from "./generated/methods.ts";
import type { MethodName, MethodTypes } from "./generated/types.ts";
import { getAsset } from "./methods/getAsset.ts";
import { getAssetProof } from "./methods/getAssetProof.ts";
import { getAssetProofs } from "./methods/getAssetProofs.ts";
import { getAssets } from "./methods/getAssets.ts";
import { getAssetsByAuthority } from "./methods/getAssetsByAuthority.ts";
import { getAssetsByCreator } from "./methods/getAssetsByCreator.ts";
import { getAssetsByGroup } from "./methods/getAssetsByGroup.ts";
import { getAssetsByOwner } from "./methods/getAssetsByOwner.ts";
import { getGrouping } from "./methods/getGrouping.ts";
import { getNftEditions } from "./methods/getNftEditions.ts";
import { getTokenAccounts } from "./methods/getTokenAccounts.ts";
import { searchAssets } from "./methods/searchAssets.ts";

/** Every method of the DAS contract. One that is missing is a compile error. */
type MethodTable = {
  readonly [Name in MethodName]: Method<MethodTypes[Name]["params"], MethodTypes[Name]["result"]>;
};

const table: MethodTable = {
  getAsset,
  getAssets,
  getAssetBatch: getAssets,
  getAssetProof,
  getAssetProofs,
  getAssetProofBatch: getAssetProofs,
  getAssetsByOwner,
  getAssetsByCreator,
  getAssetsByAuthority,
  getAssetsByGroup,
  getGrouping,
  searchAssets,
  getTokenAccounts,
  getNftEditions,
};

/** The methods of the DAS contract, to be called by wire name. */
export const dasMethods = ContractMethods.of(contract, table);
