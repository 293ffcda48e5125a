// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { Uint64Plan } from "../../json/shape-integers.ts";
import type { DasMethodName } from "./types.ts";

/** Named, because several methods answer assets and every byte of the client counts. */
const assetMembers: Uint64Plan = {
  "uses": {
    "remaining": "other",
    "total": "other"
  },
  "supply": {
    "print_max_supply": "other",
    "print_current_supply": "other",
    "edition_number": "other"
  },
  "token_info": {
    "supply": "amount",
    "balance": "amount"
  }
};

/** The 64-bit integers in the result of every method. */
export const dasUint64Members: { readonly [name in DasMethodName]: Uint64Plan } = {
  "getAsset": assetMembers,
  "getAssets": {
    "[]": assetMembers
  },
  "getAssetBatch": {
    "[]": assetMembers
  },
  "getAssetProof": {},
  "getAssetProofs": {},
  "getAssetProofBatch": {},
  "getAssetsByOwner": {
    "nativeBalance": {
      "lamports": "amount"
    },
    "items": {
      "[]": assetMembers
    }
  },
  "getAssetsByCreator": {
    "nativeBalance": {
      "lamports": "amount"
    },
    "items": {
      "[]": assetMembers
    }
  },
  "getAssetsByAuthority": {
    "nativeBalance": {
      "lamports": "amount"
    },
    "items": {
      "[]": assetMembers
    }
  },
  "getAssetsByGroup": {
    "nativeBalance": {
      "lamports": "amount"
    },
    "items": {
      "[]": assetMembers
    }
  },
  "getGrouping": {},
  "searchAssets": {
    "nativeBalance": {
      "lamports": "amount"
    },
    "items": {
      "[]": assetMembers
    }
  },
  "getTokenAccounts": {
    "token_accounts": {
      "[]": {
        "amount": "amount",
        "delegated_amount": "amount"
      }
    }
  },
  "getNftEditions": {
    "supply": "other",
    "max_supply": "other",
    "editions": {
      "[]": {
        "edition_number": "other",
        "edition": "other"
      }
    }
  }
};
