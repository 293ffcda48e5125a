import { sameBytes } from "@lamplight/codecs";
import type { AccountState, AddressBytes, LedgerState, LinkRole } from "@lamplight/core";
import { commonRoles } from "../programs/programs.ts";
import type { AssetView, KnownAccount, LedgerRule } from "../rules/rules.ts";
import type { ClaimReader, StandingClaim } from "./claims.ts";
import type { LinkList, RoundReader } from "./round-reader.ts";

/** A view with what only the engine needs of it. */
export interface LoadedView extends AssetView {
  /** Addresses whose first sight counts for the asset's created slot: its own and its parts'. */
  readonly records: readonly AddressBytes[];
}

/** A view that was read from current states and last lives. */
export interface StandingView extends LoadedView {
  /** The account at its address and the linked ones, each with the claim for which it was read. */
  readonly accounts: readonly StandingClaim[];
}

/** Reads everything around these assets: three rounds of bulk reads, however many assets. */
export const loadViews = async (
  ids: readonly AddressBytes[],
  reader: RoundReader,
  claims: ClaimReader,
  ledgers: readonly LedgerRule[],
): Promise<StandingView[]> => {
  await reader.loadStates(ids);
  const leaves = await reader.readLeaves(ids);
  const collections = leaves.flatMap((leaf) =>
    leaf === null ? [] : ledgers.flatMap((rule) => rule.collectionsOf(leaf)),
  );
  const selves = ids.map((id) => claims.standAt(reader.state(id)));
  const lists = ids.map((id, index) => listsOf(id, selves[index] ?? null));
  const flat = lists.flat();
  const sources = await reader.readLinks(flat);
  await reader.loadStates([...sources.flat(), ...selves.flatMap(named), ...collections]);
  const linked = sources.map((list, index) =>
    list.flatMap((source) => linkedBy(flat[index]!, reader.state(source), claims)),
  );
  await reader.loadStates(linked.flat().flatMap(named));
  let at = 0;
  return ids.map((id, index) => {
    const roles = new Map<LinkRole, StandingClaim[]>();
    for (const { role } of lists[index] ?? []) roles.set(role, linked[at++] ?? []);
    return viewOf(id, selves[index] ?? null, leaves[index] ?? null, roles, reader, claims);
  });
};

const listsOf = (id: AddressBytes, self: StandingClaim | null): LinkList[] =>
  [...new Set([...commonRoles, ...(self?.claim.roles ?? [])])].map((role) => ({ role, target: id }));

/** The claims of an account that make it part of a list. */
const linkedBy = (
  { role, target }: LinkList,
  state: AccountState | null,
  claims: ClaimReader,
): readonly StandingClaim[] => {
  const standing = state === null ? [] : claims.stand(state);
  if (standing.length < 2) return standing;
  return standing.filter(({ claim }) =>
    claim.links.some((link) => link.role === role && sameBytes(link.target, target)),
  );
};

/** Accounts that an account names to be read next to it. */
const named = (standing: StandingClaim | null): AddressBytes[] =>
  standing === null ? [] : [...standing.claim.parts, ...standing.claim.others];

const viewOf = (
  id: AddressBytes,
  self: StandingClaim | null,
  leaf: LedgerState | null,
  roles: ReadonlyMap<LinkRole, readonly StandingClaim[]>,
  reader: RoundReader,
  claims: ClaimReader,
): StandingView => {
  const accounts = [...(self === null ? [] : [self]), ...[...roles.values()].flat()];
  return {
    id,
    self,
    leaf,
    linked: (role): readonly KnownAccount[] => roles.get(role) ?? [],
    find: (address): KnownAccount | null => claims.standAt(reader.state(address)),
    accounts,
    records: [id, ...accounts.flatMap((account) => account.claim.parts)],
  };
};
