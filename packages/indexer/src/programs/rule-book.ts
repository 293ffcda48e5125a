import type { RuleBook } from "../rules/rules.ts";
import { bubblegumLedger } from "./bubblegum.ts";
import { compressedKind } from "./bubblegum/derive-leaf.ts";
import { inscriptionAddition, inscriptionRule } from "./inscription.ts";
import { mplCoreKind, mplCoreRule } from "./mpl-core.ts";
import { tokenClosingRule } from "./token-closing.ts";
import { tokenKind } from "./token-asset.ts";
import { tokenMetadataRule } from "./token-metadata.ts";
import { tokenRule } from "./token.ts";

/** Every program that Lamplight reads. Kinds are in order of precedence: a leaf gives way by itself once it is decompressed. */
export const ruleBook: RuleBook = {
  accounts: [tokenRule, tokenMetadataRule, mplCoreRule, inscriptionRule],
  ledgers: [bubblegumLedger],
  closings: [tokenClosingRule],
  kinds: [compressedKind, tokenKind, mplCoreKind],
  additions: [inscriptionAddition],
};
