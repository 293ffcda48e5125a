// Assets are derived from the links that are there and compared with the assets that are there: what is missing
// altogether shows only here.

import { sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  type IndexReader,
  linkRoles,
  type LinkRole,
  type StoreExport,
} from "@lamplight/core";
import { ClaimReader, type StandingClaim } from "../engine/claims.ts";
import { ruleBook } from "../programs/rule-book.ts";
import { RowTally } from "./row-tally.ts";

/**
 * Whether the links and the ids of assets are exactly those that accounts and leaves ask for, none missing and none too
 * many. Reads every table once and keeps nothing of it.
 *
 * @param store - the store that `kept` is an export of; nobody writes it meanwhile
 * @returns what is wrong, in words; empty = nothing
 */
export const verifyRows = async (
  kept: Pick<StoreExport, "pages">,
  store: Pick<IndexReader, "readAccountStates">,
): Promise<readonly string[]> => {
  const claims = new ClaimReader(ruleBook.accounts);
  const wanted = { links: new RowTally(), assets: new RowTally() };
  for await (const page of kept.pages("accounts"))
    for (const state of page) {
      const { address } = state.current;
      const standing = claims.stand(state);
      for (const { role, target } of standing?.claim.links ?? [])
        addLink(wanted.links, target, role, address);
      if (isAsset(standing, address)) wanted.assets.add(address);
    }
  for await (const page of kept.pages("ledger")) {
    const leaves = page.filter(({ kind }) => kind === "leaf").map(({ key }) => key);
    const states = await store.readAccountStates(leaves);
    // One that was decompressed has a mint at the same address, and is counted there.
    for (const [index, leaf] of leaves.entries())
      if (!isAsset(claims.stand(states[index] ?? null), leaf)) wanted.assets.add(leaf);
  }
  const found = { links: new RowTally(), assets: new RowTally() };
  for await (const page of kept.pages("links"))
    for (const { target, role, source } of page) addLink(found.links, target, role, source);
  for await (const page of kept.pages("assets")) for (const { id } of page) found.assets.add(id);
  return (["links", "assets"] as const).flatMap((table) => differenceOf(table, wanted[table], found[table]));
};

/** Every asset that is no leaf has an account of its own: a mint, or what Core keeps at its address. */
const isAsset = (standing: StandingClaim | null, address: AddressBytes): boolean =>
  standing !== null && standing.claim.assets.some((id) => sameBytes(id, address));

const addLink = (tally: RowTally, target: AddressBytes, role: LinkRole, source: AddressBytes): void =>
  tally.add(target, Uint8Array.of(linkRoles.indexOf(role)), source);

const differenceOf = (table: string, wanted: RowTally, found: RowTally): readonly string[] => {
  if (found.equals(wanted)) return [];
  const others = found.count === wanted.count ? ", but not the same" : "";
  return [`${table} has ${found.count} rows; accounts and leaves ask for ${wanted.count}${others}`];
};
