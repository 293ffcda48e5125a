// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { Uint64Plan } from "../json/shape-integers.ts";
import type { MethodName } from "./types.ts";

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
export const uint64Members: { readonly [name in MethodName]: Uint64Plan } = {
  "getNftEditions": {
    "supply": "other",
    "max_supply": "other",
    "editions": {
      "[]": {
        "edition": "other"
      }
    }
  },
  "searchAssets": {
    "nativeBalance": {
      "lamports": "amount"
    },
    "items": {
      "[]": assetMembers
    }
  },
  "getTokenAccountsByDelegate": {
    "value": {
      "[]": {
        "account": {
          "data": {
            "space": "other"
          },
          "lamports": "amount",
          "rentEpoch": "amount",
          "space": "other"
        }
      }
    }
  },
  "getAccountInfo": {
    "value": {
      "data": {
        "space": "other"
      },
      "lamports": "amount",
      "rentEpoch": "amount",
      "space": "other"
    }
  },
  "getAsset": assetMembers,
  "getTokenSupply": {},
  "getLargestAccounts": {
    "value": {
      "[]": {
        "lamports": "amount"
      }
    }
  }
};
