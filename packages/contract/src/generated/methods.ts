// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { MethodName } from "./types.ts";
import * as checks from "./validators.js";

/** One parameter of a method; positional ones come first, in order. */
export interface MethodParameter {
  readonly name: string;
  readonly required: boolean;
  /** Other names that real clients send. */
  readonly aliases: readonly string[];
  /** Known by name only, without a position. */
  readonly byNameOnly: boolean;
  /** Name of its schema, or the JSON type of one without a name. */
  readonly type: string;
  /** Known members, when the parameter is an object. */
  readonly members: readonly string[];
}

export const methods: { readonly [name in MethodName]: { readonly params: readonly MethodParameter[] } } =
{
  "getNftEditions": {
    "params": [
      {
        "name": "mint",
        "required": true,
        "aliases": [
          "mintAddress"
        ],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "page",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "integer",
        "members": []
      },
      {
        "name": "limit",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "integer",
        "members": []
      },
      {
        "name": "cursor",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "string",
        "members": []
      },
      {
        "name": "before",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "string",
        "members": []
      },
      {
        "name": "after",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "string",
        "members": []
      },
      {
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "searchAssets": {
    "params": [
      {
        "name": "negate",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "boolean",
        "members": []
      },
      {
        "name": "conditionType",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "ConditionType",
        "members": []
      },
      {
        "name": "interface",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "AssetInterface",
        "members": []
      },
      {
        "name": "ownerAddress",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "ownerType",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "OwnershipModel",
        "members": []
      },
      {
        "name": "creatorAddress",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "creatorVerified",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "boolean",
        "members": []
      },
      {
        "name": "authorityAddress",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "grouping",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "GroupingPair",
        "members": []
      },
      {
        "name": "delegateAddress",
        "required": false,
        "aliases": [
          "delegate"
        ],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "frozen",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "boolean",
        "members": []
      },
      {
        "name": "supply",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "integer",
        "members": []
      },
      {
        "name": "supplyMint",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "compressed",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "boolean",
        "members": []
      },
      {
        "name": "compressible",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "boolean",
        "members": []
      },
      {
        "name": "royaltyTargetType",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "RoyaltyModel",
        "members": []
      },
      {
        "name": "royaltyTarget",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "royaltyAmount",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "integer",
        "members": []
      },
      {
        "name": "burnt",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "boolean",
        "members": []
      },
      {
        "name": "sortBy",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "SortBy",
        "members": [
          "sortBy",
          "sortDirection"
        ]
      },
      {
        "name": "limit",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "integer",
        "members": []
      },
      {
        "name": "page",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "integer",
        "members": []
      },
      {
        "name": "before",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "after",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "jsonUri",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "string",
        "members": []
      },
      {
        "name": "tokenType",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "string",
        "members": []
      },
      {
        "name": "cursor",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "string",
        "members": []
      },
      {
        "name": "name",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "string",
        "members": []
      },
      {
        "name": "tree",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "Address",
        "members": []
      },
      {
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": true,
        "type": "SearchOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showGrandTotal",
          "showNativeBalance",
          "showZeroBalance",
          "minContextSlot"
        ]
      },
      {
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getTokenAccountsByDelegate": {
    "params": [
      {
        "name": "address",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "accountDetails",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "TokenAccountFilter",
        "members": [
          "mint",
          "programId"
        ]
      },
      {
        "name": "config",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "AccountConfig",
        "members": [
          "commitment",
          "encoding",
          "dataSlice",
          "minContextSlot"
        ]
      }
    ]
  },
  "getAccountInfo": {
    "params": [
      {
        "name": "address",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "config",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "AccountConfig",
        "members": [
          "commitment",
          "encoding",
          "dataSlice",
          "minContextSlot"
        ]
      }
    ]
  },
  "getAsset": {
    "params": [
      {
        "name": "id",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "config",
        "required": false,
        "aliases": [
          "options",
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "DisplayOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "minContextSlot"
        ]
      },
      {
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getTokenSupply": {
    "params": [
      {
        "name": "pubKey",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "config",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "TokenSupplyConfig",
        "members": [
          "commitment"
        ]
      }
    ]
  },
  "getLargestAccounts": {
    "params": [
      {
        "name": "config",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "LargestAccountsConfig",
        "members": [
          "commitment",
          "filter",
          "sortResults"
        ]
      }
    ]
  }
};

/** One thing wrong with a value: where, which rule of the schema, and in words. */
export interface ValidationIssue {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly message: string;
  readonly params: { readonly [name: string]: unknown };
}

interface Check {
  (value: unknown): boolean;
  errors?: readonly { instancePath: string; keyword: string; message?: string; params: { [name: string]: unknown } }[] | null;
}

const issuesOf =
  (check: Check) =>
  (params: unknown): readonly ValidationIssue[] =>
    check(params)
      ? []
      : (check.errors ?? []).map(({ instancePath, keyword, message, params: about }) => ({
          path: instancePath
            .split("/")
            .slice(1)
            .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
          keyword,
          message: message ?? "is not valid",
          params: about,
        }));

/** Issues of an object of named parameters, in which null stands for nothing any more; none = valid. */
export const validators: { readonly [name in MethodName]: (params: unknown) => readonly ValidationIssue[] } = {
  getNftEditions: issuesOf(checks.getNftEditions),
  searchAssets: issuesOf(checks.searchAssets),
  getTokenAccountsByDelegate: issuesOf(checks.getTokenAccountsByDelegate),
  getAccountInfo: issuesOf(checks.getAccountInfo),
  getAsset: issuesOf(checks.getAsset),
  getTokenSupply: issuesOf(checks.getTokenSupply),
  getLargestAccounts: issuesOf(checks.getLargestAccounts),
};

const parameterChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["getNftEditions mint", checks.getNftEditions_mint],
  ["getNftEditions page", checks.getNftEditions_page],
  ["getNftEditions limit", checks.getNftEditions_limit],
  ["getNftEditions cursor", checks.getNftEditions_cursor],
  ["getNftEditions before", checks.getNftEditions_before],
  ["getNftEditions after", checks.getNftEditions_after],
  ["getNftEditions minContextSlot", checks.getNftEditions_minContextSlot],
  ["searchAssets negate", checks.searchAssets_negate],
  ["searchAssets conditionType", checks.searchAssets_conditionType],
  ["searchAssets interface", checks.searchAssets_interface],
  ["searchAssets ownerAddress", checks.searchAssets_ownerAddress],
  ["searchAssets ownerType", checks.searchAssets_ownerType],
  ["searchAssets creatorAddress", checks.searchAssets_creatorAddress],
  ["searchAssets creatorVerified", checks.searchAssets_creatorVerified],
  ["searchAssets authorityAddress", checks.searchAssets_authorityAddress],
  ["searchAssets grouping", checks.searchAssets_grouping],
  ["searchAssets delegateAddress", checks.searchAssets_delegateAddress],
  ["searchAssets frozen", checks.searchAssets_frozen],
  ["searchAssets supply", checks.searchAssets_supply],
  ["searchAssets supplyMint", checks.searchAssets_supplyMint],
  ["searchAssets compressed", checks.searchAssets_compressed],
  ["searchAssets compressible", checks.searchAssets_compressible],
  ["searchAssets royaltyTargetType", checks.searchAssets_royaltyTargetType],
  ["searchAssets royaltyTarget", checks.searchAssets_royaltyTarget],
  ["searchAssets royaltyAmount", checks.searchAssets_royaltyAmount],
  ["searchAssets burnt", checks.searchAssets_burnt],
  ["searchAssets sortBy", checks.searchAssets_sortBy],
  ["searchAssets limit", checks.searchAssets_limit],
  ["searchAssets page", checks.searchAssets_page],
  ["searchAssets before", checks.searchAssets_before],
  ["searchAssets after", checks.searchAssets_after],
  ["searchAssets jsonUri", checks.searchAssets_jsonUri],
  ["searchAssets tokenType", checks.searchAssets_tokenType],
  ["searchAssets cursor", checks.searchAssets_cursor],
  ["searchAssets name", checks.searchAssets_name],
  ["searchAssets tree", checks.searchAssets_tree],
  ["searchAssets options", checks.searchAssets_options],
  ["searchAssets minContextSlot", checks.searchAssets_minContextSlot],
  ["getTokenAccountsByDelegate address", checks.getTokenAccountsByDelegate_address],
  ["getTokenAccountsByDelegate accountDetails", checks.getTokenAccountsByDelegate_accountDetails],
  ["getTokenAccountsByDelegate config", checks.getTokenAccountsByDelegate_config],
  ["getAccountInfo address", checks.getAccountInfo_address],
  ["getAccountInfo config", checks.getAccountInfo_config],
  ["getAsset id", checks.getAsset_id],
  ["getAsset config", checks.getAsset_config],
  ["getAsset minContextSlot", checks.getAsset_minContextSlot],
  ["getTokenSupply pubKey", checks.getTokenSupply_pubKey],
  ["getTokenSupply config", checks.getTokenSupply_config],
  ["getLargestAccounts config", checks.getLargestAccounts_config],
]);

/** Whether a value alone fits a parameter. */
export const matchesParameter = (method: MethodName, parameter: string, value: unknown): boolean =>
  parameterChecks.get(`${method} ${parameter}`)?.(value) ?? false;
