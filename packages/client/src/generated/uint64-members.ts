// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { MethodName } from "./types.ts";

/**
 * Where the 64-bit integers are: here, deeper under a member's name, or under `[]` in every item of an array.
 * Amounts are lamports, token units and rent epochs, which a double does not hold.
 */
export type Uint64Plan = "amount" | "other" | { readonly [member: string]: Uint64Plan };

/** Named, because two methods answer assets and every byte of the client counts. */
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
