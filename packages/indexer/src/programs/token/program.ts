import { deriveAccountFacts } from "@lamplight/core";

import type { ChainProgram, SelectionRule } from "../../rules/program.ts";
import { tokenKind } from "./token-asset.ts";
import { tokenClosingRule } from "./token-closing.ts";
import { tokenRule } from "./token-rule.ts";

const selection: SelectionRule = {
  named: (account) => {
    const { holding } = deriveAccountFacts(account);
    return holding === null ? {} : { owner: holding.tokenOwner, mint: holding.mint };
  },
  needs: () => ({}),
};

/** Mints and token accounts of both token programs. */
export const token: ChainProgram = {
  name: "token",
  accounts: tokenRule,
  ledger: null,
  closing: tokenClosingRule,
  kind: tokenKind,
  addition: null,
  selection,
  // Holders are read where one of them can be the owner.
  roles: { always: [], asked: ["holder"] },
  transactionsOf: [],
};
