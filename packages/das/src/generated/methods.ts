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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "AssetOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance"
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
  "getAssets": {
    "params": [
      {
        "name": "ids",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "array",
        "members": []
      },
      {
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "AssetOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance"
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
  "getAssetBatch": {
    "params": [
      {
        "name": "ids",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "array",
        "members": []
      },
      {
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "AssetOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance"
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
  "getAssetsByOwner": {
    "params": [
      {
        "name": "ownerAddress",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "ListOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance",
          "showGrandTotal",
          "showNativeBalance"
        ]
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
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getAssetsByCreator": {
    "params": [
      {
        "name": "creatorAddress",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "onlyVerified",
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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "ListOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance",
          "showGrandTotal",
          "showNativeBalance"
        ]
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
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getAssetsByAuthority": {
    "params": [
      {
        "name": "authorityAddress",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "ListOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance",
          "showGrandTotal",
          "showNativeBalance"
        ]
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
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getAssetsByGroup": {
    "params": [
      {
        "name": "groupKey",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "GroupKey",
        "members": []
      },
      {
        "name": "groupValue",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "ListOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance",
          "showGrandTotal",
          "showNativeBalance"
        ]
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
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getGrouping": {
    "params": [
      {
        "name": "groupKey",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "GroupKey",
        "members": []
      },
      {
        "name": "groupValue",
        "required": true,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
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
        "name": "delegate",
        "required": false,
        "aliases": [
          "delegateAddress"
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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "ListOptions",
        "members": [
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription",
          "showZeroBalance",
          "showGrandTotal",
          "showNativeBalance"
        ]
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
        "name": "name",
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
        "byNameOnly": false,
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
        "name": "minContextSlot",
        "required": false,
        "aliases": [],
        "byNameOnly": true,
        "type": "integer",
        "members": []
      }
    ]
  },
  "getTokenAccounts": {
    "params": [
      {
        "name": "ownerAddress",
        "required": false,
        "aliases": [
          "owner"
        ],
        "byNameOnly": false,
        "type": "Address",
        "members": []
      },
      {
        "name": "mintAddress",
        "required": false,
        "aliases": [
          "mint"
        ],
        "byNameOnly": false,
        "type": "Address",
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
        "name": "options",
        "required": false,
        "aliases": [
          "displayOptions"
        ],
        "byNameOnly": false,
        "type": "TokenAccountOptions",
        "members": [
          "showZeroBalance",
          "showFungible",
          "showUnverifiedCollections",
          "showCollectionMetadata",
          "showInscription"
        ]
      },
      {
        "name": "cursor",
        "required": false,
        "aliases": [],
        "byNameOnly": false,
        "type": "Address",
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
  "getNftEditions": {
    "params": [
      {
        "name": "mintAddress",
        "required": true,
        "aliases": [
          "mint"
        ],
        "byNameOnly": false,
        "type": "Address",
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
        "name": "cursor",
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
  getAsset: issuesOf(checks.getAsset),
  getAssets: issuesOf(checks.getAssets),
  getAssetBatch: issuesOf(checks.getAssetBatch),
  getAssetsByOwner: issuesOf(checks.getAssetsByOwner),
  getAssetsByCreator: issuesOf(checks.getAssetsByCreator),
  getAssetsByAuthority: issuesOf(checks.getAssetsByAuthority),
  getAssetsByGroup: issuesOf(checks.getAssetsByGroup),
  getGrouping: issuesOf(checks.getGrouping),
  searchAssets: issuesOf(checks.searchAssets),
  getTokenAccounts: issuesOf(checks.getTokenAccounts),
  getNftEditions: issuesOf(checks.getNftEditions),
};

const parameterChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["getAsset id", checks.getAsset_id],
  ["getAsset options", checks.getAsset_options],
  ["getAsset minContextSlot", checks.getAsset_minContextSlot],
  ["getAssets ids", checks.getAssets_ids],
  ["getAssets options", checks.getAssets_options],
  ["getAssets minContextSlot", checks.getAssets_minContextSlot],
  ["getAssetBatch ids", checks.getAssetBatch_ids],
  ["getAssetBatch options", checks.getAssetBatch_options],
  ["getAssetBatch minContextSlot", checks.getAssetBatch_minContextSlot],
  ["getAssetsByOwner ownerAddress", checks.getAssetsByOwner_ownerAddress],
  ["getAssetsByOwner sortBy", checks.getAssetsByOwner_sortBy],
  ["getAssetsByOwner limit", checks.getAssetsByOwner_limit],
  ["getAssetsByOwner page", checks.getAssetsByOwner_page],
  ["getAssetsByOwner before", checks.getAssetsByOwner_before],
  ["getAssetsByOwner after", checks.getAssetsByOwner_after],
  ["getAssetsByOwner options", checks.getAssetsByOwner_options],
  ["getAssetsByOwner cursor", checks.getAssetsByOwner_cursor],
  ["getAssetsByOwner minContextSlot", checks.getAssetsByOwner_minContextSlot],
  ["getAssetsByCreator creatorAddress", checks.getAssetsByCreator_creatorAddress],
  ["getAssetsByCreator onlyVerified", checks.getAssetsByCreator_onlyVerified],
  ["getAssetsByCreator sortBy", checks.getAssetsByCreator_sortBy],
  ["getAssetsByCreator limit", checks.getAssetsByCreator_limit],
  ["getAssetsByCreator page", checks.getAssetsByCreator_page],
  ["getAssetsByCreator before", checks.getAssetsByCreator_before],
  ["getAssetsByCreator after", checks.getAssetsByCreator_after],
  ["getAssetsByCreator options", checks.getAssetsByCreator_options],
  ["getAssetsByCreator cursor", checks.getAssetsByCreator_cursor],
  ["getAssetsByCreator minContextSlot", checks.getAssetsByCreator_minContextSlot],
  ["getAssetsByAuthority authorityAddress", checks.getAssetsByAuthority_authorityAddress],
  ["getAssetsByAuthority sortBy", checks.getAssetsByAuthority_sortBy],
  ["getAssetsByAuthority limit", checks.getAssetsByAuthority_limit],
  ["getAssetsByAuthority page", checks.getAssetsByAuthority_page],
  ["getAssetsByAuthority before", checks.getAssetsByAuthority_before],
  ["getAssetsByAuthority after", checks.getAssetsByAuthority_after],
  ["getAssetsByAuthority options", checks.getAssetsByAuthority_options],
  ["getAssetsByAuthority cursor", checks.getAssetsByAuthority_cursor],
  ["getAssetsByAuthority minContextSlot", checks.getAssetsByAuthority_minContextSlot],
  ["getAssetsByGroup groupKey", checks.getAssetsByGroup_groupKey],
  ["getAssetsByGroup groupValue", checks.getAssetsByGroup_groupValue],
  ["getAssetsByGroup sortBy", checks.getAssetsByGroup_sortBy],
  ["getAssetsByGroup limit", checks.getAssetsByGroup_limit],
  ["getAssetsByGroup page", checks.getAssetsByGroup_page],
  ["getAssetsByGroup before", checks.getAssetsByGroup_before],
  ["getAssetsByGroup after", checks.getAssetsByGroup_after],
  ["getAssetsByGroup options", checks.getAssetsByGroup_options],
  ["getAssetsByGroup cursor", checks.getAssetsByGroup_cursor],
  ["getAssetsByGroup minContextSlot", checks.getAssetsByGroup_minContextSlot],
  ["getGrouping groupKey", checks.getGrouping_groupKey],
  ["getGrouping groupValue", checks.getGrouping_groupValue],
  ["getGrouping minContextSlot", checks.getGrouping_minContextSlot],
  ["searchAssets negate", checks.searchAssets_negate],
  ["searchAssets conditionType", checks.searchAssets_conditionType],
  ["searchAssets interface", checks.searchAssets_interface],
  ["searchAssets ownerAddress", checks.searchAssets_ownerAddress],
  ["searchAssets ownerType", checks.searchAssets_ownerType],
  ["searchAssets creatorAddress", checks.searchAssets_creatorAddress],
  ["searchAssets creatorVerified", checks.searchAssets_creatorVerified],
  ["searchAssets authorityAddress", checks.searchAssets_authorityAddress],
  ["searchAssets grouping", checks.searchAssets_grouping],
  ["searchAssets delegate", checks.searchAssets_delegate],
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
  ["searchAssets options", checks.searchAssets_options],
  ["searchAssets cursor", checks.searchAssets_cursor],
  ["searchAssets name", checks.searchAssets_name],
  ["searchAssets tokenType", checks.searchAssets_tokenType],
  ["searchAssets tree", checks.searchAssets_tree],
  ["searchAssets minContextSlot", checks.searchAssets_minContextSlot],
  ["getTokenAccounts ownerAddress", checks.getTokenAccounts_ownerAddress],
  ["getTokenAccounts mintAddress", checks.getTokenAccounts_mintAddress],
  ["getTokenAccounts limit", checks.getTokenAccounts_limit],
  ["getTokenAccounts page", checks.getTokenAccounts_page],
  ["getTokenAccounts before", checks.getTokenAccounts_before],
  ["getTokenAccounts after", checks.getTokenAccounts_after],
  ["getTokenAccounts options", checks.getTokenAccounts_options],
  ["getTokenAccounts cursor", checks.getTokenAccounts_cursor],
  ["getTokenAccounts minContextSlot", checks.getTokenAccounts_minContextSlot],
  ["getNftEditions mintAddress", checks.getNftEditions_mintAddress],
  ["getNftEditions limit", checks.getNftEditions_limit],
  ["getNftEditions page", checks.getNftEditions_page],
  ["getNftEditions before", checks.getNftEditions_before],
  ["getNftEditions after", checks.getNftEditions_after],
  ["getNftEditions cursor", checks.getNftEditions_cursor],
  ["getNftEditions minContextSlot", checks.getNftEditions_minContextSlot],
]);

/** Whether a value alone fits a parameter. */
export const matchesParameter = (method: MethodName, parameter: string, value: unknown): boolean =>
  parameterChecks.get(`${method} ${parameter}`)?.(value) ?? false;
