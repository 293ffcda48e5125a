import type { ChainProgram } from "../../rules/program.ts";
import { tokenMetadataRule } from "./token-metadata-rule.ts";
import { tokenMetadataSelection } from "./token-metadata-selection.ts";

/** Metadata and edition accounts, which describe assets of the token programs. */
export const tokenMetadata: ChainProgram = {
  name: "token-metadata",
  accounts: tokenMetadataRule,
  ledger: null,
  closing: null,
  kind: null,
  addition: null,
  selection: tokenMetadataSelection,
  roles: { always: ["metadata"], asked: [] },
  transactionsOf: [],
};
