// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import { methodChecks, type ParameterTable } from "@lamplight/contract";
import type { MethodName } from "./types.ts";
import * as checks from "./validators.js";

export const methods: ParameterTable<MethodName> = {
  getAsset: {
    params: [
      {"name":"id","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"AssetOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","minContextSlot"]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssets: {
    params: [
      {"name":"ids","required":true,"aliases":[],"byNameOnly":false,"type":"array","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"AssetOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","minContextSlot"]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetBatch: {
    params: [
      {"name":"ids","required":true,"aliases":[],"byNameOnly":false,"type":"array","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"AssetOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","minContextSlot"]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetProof: {
    params: [
      {"name":"id","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetProofs: {
    params: [
      {"name":"ids","required":true,"aliases":[],"byNameOnly":false,"type":"array","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetProofBatch: {
    params: [
      {"name":"ids","required":true,"aliases":[],"byNameOnly":false,"type":"array","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetsByOwner: {
    params: [
      {"name":"ownerAddress","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"sortBy","required":false,"aliases":[],"byNameOnly":false,"type":"SortBy","members":["sortBy","sortDirection"]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"ListOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","showGrandTotal","showNativeBalance","minContextSlot"]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetsByCreator: {
    params: [
      {"name":"creatorAddress","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"onlyVerified","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"sortBy","required":false,"aliases":[],"byNameOnly":false,"type":"SortBy","members":["sortBy","sortDirection"]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"ListOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","showGrandTotal","showNativeBalance","minContextSlot"]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetsByAuthority: {
    params: [
      {"name":"authorityAddress","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"sortBy","required":false,"aliases":[],"byNameOnly":false,"type":"SortBy","members":["sortBy","sortDirection"]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"ListOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","showGrandTotal","showNativeBalance","minContextSlot"]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getAssetsByGroup: {
    params: [
      {"name":"groupKey","required":true,"aliases":[],"byNameOnly":false,"type":"GroupKey","members":[]},
      {"name":"groupValue","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"sortBy","required":false,"aliases":[],"byNameOnly":false,"type":"SortBy","members":["sortBy","sortDirection"]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"ListOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","showGrandTotal","showNativeBalance","minContextSlot"]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getGrouping: {
    params: [
      {"name":"groupKey","required":true,"aliases":[],"byNameOnly":false,"type":"GroupKey","members":[]},
      {"name":"groupValue","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  searchAssets: {
    params: [
      {"name":"negate","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"conditionType","required":false,"aliases":[],"byNameOnly":false,"type":"ConditionType","members":[]},
      {"name":"interface","required":false,"aliases":[],"byNameOnly":false,"type":"AssetInterface","members":[]},
      {"name":"ownerAddress","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"ownerType","required":false,"aliases":[],"byNameOnly":false,"type":"OwnershipModel","members":[]},
      {"name":"creatorAddress","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"creatorVerified","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"authorityAddress","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"grouping","required":false,"aliases":[],"byNameOnly":false,"type":"GroupingPair","members":[]},
      {"name":"delegate","required":false,"aliases":["delegateAddress"],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"frozen","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"supply","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"supplyMint","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"compressed","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"compressible","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"royaltyTargetType","required":false,"aliases":[],"byNameOnly":false,"type":"RoyaltyModel","members":[]},
      {"name":"royaltyTarget","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"royaltyAmount","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"burnt","required":false,"aliases":[],"byNameOnly":false,"type":"boolean","members":[]},
      {"name":"sortBy","required":false,"aliases":[],"byNameOnly":false,"type":"SortBy","members":["sortBy","sortDirection"]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"jsonUri","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"ListOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showZeroBalance","showGrandTotal","showNativeBalance","minContextSlot"]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"name","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"tokenType","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"tree","required":false,"aliases":[],"byNameOnly":true,"type":"Address","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getTokenAccounts: {
    params: [
      {"name":"ownerAddress","required":false,"aliases":["owner"],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"mintAddress","required":false,"aliases":["mint"],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":false,"type":"TokenAccountOptions","members":["showZeroBalance","showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","minContextSlot"]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"sortBy","required":false,"aliases":[],"byNameOnly":false,"type":"TokenAccountOrder","members":["sortBy","sortDirection"]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getNftEditions: {
    params: [
      {"name":"mintAddress","required":true,"aliases":["mint"],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
};

export const { validators, matchesParameter } = methodChecks<MethodName>(methods, checks);
