import { programAddresses } from "@lamplight/codecs";

import type { ChainProgram } from "../../rules/program.ts";
import { bubblegumLedger } from "./bubblegum-ledger.ts";
import { compressedKind } from "./derive-leaf.ts";

/** Compressed assets: transactions write their leaves, and accounts of the compression programs count the changes. */
export const bubblegum: ChainProgram = {
  name: "bubblegum",
  accounts: null,
  ledger: bubblegumLedger,
  closing: null,
  kind: compressedKind,
  addition: null,
  selection: null,
  roles: { always: [], asked: [] },
  transactionsOf: [programAddresses.bubblegum],
};
