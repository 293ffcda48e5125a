// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { MethodName } from "./types.ts";

/** Where the u64 are: `true` here, deeper under a member's name, or under `[]` in every item of an array. */
export type Uint64Plan = true | { readonly [member: string]: Uint64Plan };

export const uint64Members: { readonly [name in MethodName]: Uint64Plan } = {
  "getNftEditions": {
    "supply": true,
    "max_supply": true,
    "editions": {
      "[]": {
        "edition": true
      }
    }
  },
  "searchAssets": {
    "nativeBalance": {
      "lamports": true
    },
    "items": {
      "[]": {
        "uses": {
          "remaining": true,
          "total": true
        },
        "supply": {
          "print_max_supply": true,
          "print_current_supply": true,
          "edition_number": true
        },
        "token_info": {
          "supply": true
        }
      }
    }
  },
  "getTokenAccountsByDelegate": {
    "value": {
      "[]": {
        "account": {
          "data": {
            "space": true
          },
          "lamports": true,
          "rentEpoch": true,
          "space": true
        }
      }
    }
  },
  "getAccountInfo": {
    "value": {
      "data": {
        "space": true
      },
      "lamports": true,
      "rentEpoch": true,
      "space": true
    }
  },
  "getAsset": {
    "uses": {
      "remaining": true,
      "total": true
    },
    "supply": {
      "print_max_supply": true,
      "print_current_supply": true,
      "edition_number": true
    },
    "token_info": {
      "supply": true
    }
  },
  "getTokenSupply": {},
  "getLargestAccounts": {
    "value": {
      "[]": {
        "lamports": true
      }
    }
  }
};
