import type { RuleBook } from "../rules/rules.ts";
import { inscriptionAddition, inscriptionRule } from "./inscription.ts";
import { mplCoreKind, mplCoreRule } from "./mpl-core.ts";
import { tokenClosingRule } from "./token-closing.ts";
import { tokenKind } from "./token-asset.ts";
import { tokenMetadataRule } from "./token-metadata.ts";
import { tokenRule } from "./token.ts";

/** Every program that Lamplight reads. Kinds are in order of precedence: a mint under an id that was a leaf comes last. */
export const ruleBook: RuleBook = {
  accounts: [tokenRule, tokenMetadataRule, mplCoreRule, inscriptionRule],
  ledgers: [],
  closings: [tokenClosingRule],
  kinds: [tokenKind, mplCoreKind],
  additions: [inscriptionAddition],
};
