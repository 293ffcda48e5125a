import { decodeCoreAccount } from "@lamplight/codecs";

import type { ChainProgram, SelectionRule } from "../../rules/program.ts";
import { mplCoreKind, mplCoreRule } from "./mpl-core-rule.ts";

const selection: SelectionRule = {
  named: ({ data }) => {
    const core = decodeCoreAccount(data);
    if (core?.kind !== "asset") return {};
    const { assetOwner: owner, updateAuthority } = core;
    return updateAuthority.kind === "collection"
      ? { owner, collection: updateAuthority.collection }
      : { owner };
  },
  needs: () => ({}),
};

/** Assets, collections and groups of Core. */
export const mplCore: ChainProgram = {
  name: "mpl-core",
  accounts: mplCoreRule,
  ledger: null,
  closing: null,
  kind: mplCoreKind,
  addition: null,
  selection,
  roles: { always: [], asked: [] },
  transactionsOf: [],
};
