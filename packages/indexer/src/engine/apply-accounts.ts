import { type Account, type AccountState, type AddressBytes } from "@lamplight/core";
import { AddressMap, AddressSet } from "./address-map.ts";
import type { ClaimReader, StandingClaim } from "./claims.ts";
import type { DeltaDraft } from "./delta-draft.ts";
import { changedState, type LifeRank, withVersion } from "./merge-version.ts";
import type { LinkList } from "./round-reader.ts";
import type { StateReader } from "./state-reader.ts";
import type { VersionMemory } from "./version-memory.ts";

/** The work that a batch of account versions makes necessary. */
export interface Touched {
  /** Assets to derive. */
  readonly assets: AddressSet;
  /** Assets that an old claim named: the only ones that may have to go. */
  readonly mayGo: AddressSet;
  /** Link lists whose sources' assets are to be derived too. */
  readonly dependants: LinkList[];
  /** Lowest slot per asset id named by the batch. */
  readonly seen: AddressMap<number>;
  /** Lowest slot per account that is a part of an asset it cannot name (an edition account). */
  readonly partsSeen: AddressMap<number>;
  /** The link lists that lead from such a part to its asset. They are followed when its slot is a new lowest. */
  readonly partLists: AddressMap<readonly LinkList[]>;
}

export const nothingTouched = (): Touched => ({
  assets: new AddressSet(),
  mayGo: new AddressSet(),
  dependants: [],
  seen: new AddressMap(),
  partsSeen: new AddressMap(),
  partLists: new AddressMap(),
});

/** Merges account versions into the known states: states and links go into `draft`, the rest into `touched`. */
export const applyAccounts = async (
  updates: readonly Account[],
  reader: StateReader,
  claims: ClaimReader,
  memory: VersionMemory,
  draft: DeltaDraft,
  touched: Touched,
): Promise<void> => {
  const before = await readBefore(updates, reader);
  const after = new AddressMap<readonly Account[]>();
  for (const update of updates) {
    const { address } = update;
    noteSeen(update, claims, touched);
    const known = after.get(address) ?? memory.versionsOf(address, before.get(address) ?? null);
    after.set(address, withVersion(known, update));
  }
  const rankOf = (account: Account): LifeRank => claims.rank(account);
  for (const { address, value: versions } of after.entries()) {
    const old = before.get(address) ?? null;
    const state = changedState(old, versions, rankOf);
    memory.note(versions, state, rankOf);
    if (state !== old) changeState(address, old, state, claims, draft, touched);
  }
};

/** Replaces known states by what is left of them. Their versions are not older, so that a store writes them. */
export const replaceStates = async (
  states: readonly AccountState[],
  reader: StateReader,
  claims: ClaimReader,
  draft: DeltaDraft,
  touched: Touched,
): Promise<void> => {
  if (states.length === 0) return;
  const before = await reader.readAccountStates(states.map(({ current }) => current.address));
  for (const [index, state] of states.entries()) {
    const { address } = state.current;
    changeState(address, before[index] ?? null, state, claims, draft, touched);
  }
};

const readBefore = async (
  updates: readonly Account[],
  reader: StateReader,
): Promise<AddressMap<AccountState | null>> => {
  const before = new AddressMap<AccountState | null>();
  for (const { address } of updates) before.set(address, null);
  const addresses = before.addresses();
  const states = await reader.readAccountStates(addresses);
  for (const [index, address] of addresses.entries()) before.set(address, states[index] ?? null);
  return before;
};

/** Stale versions count too: the created slot is the lowest ever received. */
const noteSeen = (update: Account, claims: ClaimReader, touched: Touched): void => {
  const claim = claims.read(update);
  if (claim === null || !claim.isRecord) return;
  for (const id of claim.assets) lowerSlot(touched.seen, id, update.slot);
  // An account that is an asset itself (a collection) is no part of its dependants.
  if (claim.dependants.length === 0 || claim.assets.length > 0) return;
  lowerSlot(touched.partsSeen, update.address, update.slot);
  touched.partLists.set(update.address, claim.dependants);
};

export const lowerSlot = (slots: AddressMap<number>, address: AddressBytes, slot: number): void => {
  const known = slots.get(address);
  if (known === undefined || slot < known) slots.set(address, slot);
};

const changeState = (
  address: AddressBytes,
  old: AccountState | null,
  state: AccountState,
  claims: ClaimReader,
  draft: DeltaDraft,
  touched: Touched,
): void => {
  draft.setState(state, old);
  const was = old === null ? [] : claims.stand(old);
  const is = claims.stand(state);
  for (const { claim } of was) {
    for (const link of claim.links) draft.removeLink({ ...link, source: address });
    touched.assets.addAll(claim.assets);
    touched.mayGo.addAll(claim.assets);
  }
  for (const { claim } of is) {
    for (const link of claim.links) draft.addLink({ ...link, source: address });
    touched.assets.addAll(claim.assets);
  }
  if (!affectsDependants(was, is, claims)) return;
  touched.dependants.push(...[...was, ...is].flatMap(({ claim }) => claim.dependants));
};

const affectsDependants = (
  was: readonly StandingClaim[],
  is: readonly StandingClaim[],
  claims: ClaimReader,
): boolean => {
  if (was.length > 1 || is.length > 1) return true;
  const [before, after] = [was[0]?.claiming ?? null, is[0]?.claiming ?? null];
  const program = (after ?? before)?.programOwner;
  const rule = program === undefined ? undefined : claims.ruleOf(program);
  return rule?.affectsDependants?.(before, after) ?? true;
};
