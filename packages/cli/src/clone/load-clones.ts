import { existsSync } from "node:fs";
import type { Account } from "@lamplight/core";
import { LamplightError, usageError } from "@lamplight/errors";
import {
  cloneAccounts,
  type ClonedAccount,
  cloneKinds,
  type CloneRequest,
  isEmptyRequest,
  missingFrom,
  namedAs,
} from "@lamplight/sources/clone";
import { openHttpEndpoint } from "@lamplight/sources/endpoint";
import { readCloneFile, writeCloneFile } from "./clone-file.ts";

export interface CloneFlags {
  readonly request: CloneRequest;
  readonly file: string;
  /** Node that accounts are read from; null = the file must have them. */
  readonly from: string | null;
}

/**
 * Accounts of another chain: from the file, and once from the node for what the file lacks.
 *
 * @throws LamplightError `CLI__USAGE`, of the SOURCE family
 */
export const loadClones = async (
  { request, file, from }: CloneFlags,
  say: (line: string) => void,
): Promise<readonly Account[]> => {
  if (isEmptyRequest(request) && !existsSync(file))
    throw new LamplightError("SOURCE__NO_SUCH_PATH", { path: file });
  const accounts = await readCloneFile(file);
  const lacking = missingFrom(
    request,
    (address, kind) => accounts.get(address)?.namedBy.includes(kind) ?? false,
  );
  if (!isEmptyRequest(lacking)) {
    const endpoint = openHttpEndpoint({ url: sourceOf(from, lacking, file) });
    const fetched = await cloneAccounts(endpoint, lacking);
    for (const [address, one] of fetched) accounts.set(address, merged(accounts.get(address), one));
    await writeCloneFile(file, accounts);
    say(`read ${fetched.size} accounts from ${endpoint.name} and kept them in ${file}`);
  }
  return [...accounts.values()].map(({ account }) => account).filter(({ lamports }) => lamports > 0n);
};

const sourceOf = (from: string | null, lacking: CloneRequest, file: string): string => {
  if (from !== null) return from;
  const [first] = cloneKinds.flatMap((kind) => namedAs(lacking, kind));
  throw usageError(`${file} does not have ${first}; name a node with --from or LAMPLIGHT_CLONE_FROM`);
};

const merged = (known: ClonedAccount | undefined, fetched: ClonedAccount): ClonedAccount => ({
  ...fetched,
  namedBy: [...new Set([...(known?.namedBy ?? []), ...fetched.namedBy])],
});
