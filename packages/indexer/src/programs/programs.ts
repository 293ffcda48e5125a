import { type AddressBytes, DERIVATION, type LinkRole } from "@lamplight/core";

import { shapeAsset } from "../record/shape-asset.ts";
import type { ChainProgram } from "../rules/program.ts";
import type { RuleBook } from "../rules/rules.ts";
import { bubblegum } from "./bubblegum/program.ts";
import { inscription } from "./inscription/program.ts";
import { mplCore } from "./mpl-core/program.ts";
import { token } from "./token/program.ts";
import { tokenMetadata } from "./token-metadata/program.ts";

/**
 * Every program that Lamplight reads, one folder each. Their kinds of assets are in order of precedence: a leaf gives
 * way by itself once it is decompressed.
 */
export const programs: readonly ChainProgram[] = [bubblegum, token, tokenMetadata, mplCore, inscription];

const present = <Member>(pick: (program: ChainProgram) => Member | null): readonly Member[] =>
  programs.flatMap((program) => pick(program) ?? []) as readonly Member[];

export const ruleBook: RuleBook = {
  version: DERIVATION,
  shape: shapeAsset,
  accounts: present(({ accounts }) => accounts),
  ledgers: present(({ ledger }) => ledger),
  closings: present(({ closing }) => closing),
  kinds: present(({ kind }) => kind),
  additions: present(({ addition }) => addition),
};

/** Programs whose accounts describe assets or trees. */
export const claimingPrograms: readonly AddressBytes[] = [...ruleBook.accounts, ...ruleBook.ledgers].flatMap(
  (rule) => rule.programs,
);

/** Programs whose accounts describe assets by themselves, rather than add to those of others. */
export const describingPrograms: readonly AddressBytes[] = programs
  .filter(({ addition }) => addition === null)
  .flatMap(({ accounts }) => accounts?.programs ?? []);

/** Programs whose transactions a stream must be asked for. */
export const streamedPrograms: readonly AddressBytes[] = programs.flatMap((each) => each.transactionsOf);

/** Roles that any asset may have, regardless of what its own account says. */
export const commonRoles: readonly LinkRole[] = programs.flatMap(({ roles }) => roles.always);

/** Roles in which views read linked accounts. A bulk load keeps only the addresses for other roles. */
export const viewedRoles: readonly LinkRole[] = [
  ...commonRoles,
  ...programs.flatMap(({ roles }) => roles.asked),
];
