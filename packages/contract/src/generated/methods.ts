// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import { methodChecks, type ParameterTable } from "../method-checks.ts";
import type { MethodName } from "./types.ts";
import * as checks from "./validators.js";

export const methods: ParameterTable<MethodName> = {
  getNftEditions: {
    params: [
      {"name":"mint","required":true,"aliases":["mintAddress"],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"page","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"limit","required":false,"aliases":[],"byNameOnly":false,"type":"integer","members":[]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"before","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
      {"name":"after","required":false,"aliases":[],"byNameOnly":false,"type":"string","members":[]},
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
      {"name":"delegateAddress","required":false,"aliases":["delegate"],"byNameOnly":false,"type":"Address","members":[]},
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
      {"name":"tokenType","required":false,"aliases":[],"byNameOnly":true,"type":"string","members":[]},
      {"name":"cursor","required":false,"aliases":[],"byNameOnly":true,"type":"string","members":[]},
      {"name":"name","required":false,"aliases":[],"byNameOnly":true,"type":"string","members":[]},
      {"name":"tree","required":false,"aliases":[],"byNameOnly":true,"type":"Address","members":[]},
      {"name":"options","required":false,"aliases":["displayOptions"],"byNameOnly":true,"type":"SearchOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","showGrandTotal","showNativeBalance","showZeroBalance","minContextSlot"]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getTokenAccountsByDelegate: {
    params: [
      {"name":"address","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"accountDetails","required":true,"aliases":[],"byNameOnly":false,"type":"TokenAccountFilter","members":["mint","programId"]},
      {"name":"config","required":false,"aliases":[],"byNameOnly":false,"type":"AccountConfig","members":["commitment","encoding","dataSlice","minContextSlot"]},
    ],
  },
  getAccountInfo: {
    params: [
      {"name":"address","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"config","required":false,"aliases":[],"byNameOnly":false,"type":"AccountConfig","members":["commitment","encoding","dataSlice","minContextSlot"]},
    ],
  },
  getAsset: {
    params: [
      {"name":"id","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"config","required":false,"aliases":["options","displayOptions"],"byNameOnly":false,"type":"DisplayOptions","members":["showFungible","showUnverifiedCollections","showCollectionMetadata","showInscription","minContextSlot"]},
      {"name":"minContextSlot","required":false,"aliases":[],"byNameOnly":true,"type":"integer","members":[]},
    ],
  },
  getTokenSupply: {
    params: [
      {"name":"pubKey","required":true,"aliases":[],"byNameOnly":false,"type":"Address","members":[]},
      {"name":"config","required":false,"aliases":[],"byNameOnly":false,"type":"TokenSupplyConfig","members":["commitment"]},
    ],
  },
  getLargestAccounts: {
    params: [
      {"name":"config","required":false,"aliases":[],"byNameOnly":false,"type":"LargestAccountsConfig","members":["commitment","filter","sortResults"]},
    ],
  },
};

export const { validators, matchesParameter } = methodChecks<MethodName>(methods, checks);
