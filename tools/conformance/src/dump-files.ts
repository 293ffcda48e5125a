import type { Account } from "@lamplight/core";
import { readAccountDumps } from "@lamplight/sources/dumps";

/** Every account of files or folders, in their order. A broken file is a failure of the case set, so it throws. */
export const loadAccounts = async (...paths: readonly string[]): Promise<readonly Account[]> => {
  const accounts: Account[] = [];
  for await (const batch of readAccountDumps(paths, { onBad: refuse })) accounts.push(...batch.accounts);
  return accounts;
};

const refuse = (error: Error): never => {
  throw error;
};
