import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { type ChainSimulation, lastWrites } from "@lamplight/devchain";

/** The newest finalized version of every account that was ever written, closed ones too. */
export const finalizedAccounts = (simulation: ChainSimulation): readonly Account[] => {
  const newest = new Map<string, Account>();
  const blocks = simulation.pathTo(simulation.finalized)!;
  for (const account of [...simulation.genesis.accounts, ...blocks.flatMap(lastWrites)])
    newest.set(encodeAddress(account.address), account);
  return [...newest.values()];
};
