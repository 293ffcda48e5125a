import type { ChainProgram } from "../../rules/program.ts";
import { inscriptionAddition, inscriptionRule } from "./inscription-rule.ts";

/** LibrePlex inscriptions, which add a member to assets of other programs. */
export const inscription: ChainProgram = {
  name: "inscription",
  accounts: inscriptionRule,
  ledger: null,
  closing: null,
  kind: null,
  addition: inscriptionAddition,
  selection: null,
  roles: { always: ["inscription"], asked: [] },
  transactionsOf: [],
};
