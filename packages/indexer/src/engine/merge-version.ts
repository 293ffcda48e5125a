import { type Account, type AccountState, isOlderVersion } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";

/**
 * The worth of a version once a newer one has replaced it: nothing, the proof of an asset's end (an emptied account),
 * or its life.
 */
export const lifeRanks = { none: 0, emptied: 1, life: 2 } as const;
export type LifeRank = (typeof lifeRanks)[keyof typeof lifeRanks];

type RankOf = (account: Account) => LifeRank;

/** The versions that a state keeps. */
export const versionsOf = (state: AccountState | null): readonly Account[] => {
  if (state === null) return [];
  return state.lastLife === null ? [state.current] : [state.current, state.lastLife];
};

/**
 * Versions with one more; the same array when it changes nothing. Each slot has one version. The last write of a slot
 * replaces the others, which never were a state. If versions are equal, the later arrival counts.
 */
export const withVersion = (versions: readonly Account[], incoming: Account): readonly Account[] => {
  const index = versions.findIndex(({ slot }) => slot === incoming.slot);
  const known = versions[index];
  if (known === undefined) return [...versions, incoming];
  return isOlderVersion(incoming, known) || sameAccount(known, incoming)
    ? versions
    : versions.with(index, incoming);
};

/**
 * The state that these versions, each of another slot, lead to: the newest one, and of the older ones with a higher rank
 * than it, those of the highest rank, the newest of them. Slots alone compare them: a write version orders writes
 * within a slot only.
 */
const stateOf = (versions: readonly Account[], rankOf: RankOf): AccountState => {
  const current = versions.reduce((newest, one) => (one.slot > newest.slot ? one : newest));
  let lastLife: Account | null = null;
  let rank: LifeRank = rankOf(current);
  for (const version of versions) {
    if (version === current) continue;
    const ownRank = rankOf(version);
    const isBetter =
      ownRank > rank || (ownRank === rank && lastLife !== null && version.slot > lastLife.slot);
    if (isBetter) [lastLife, rank] = [version, ownRank];
  }
  return { current, lastLife };
};

/** The state that versions lead to; the known one where it is the same. */
export const changedState = (
  known: AccountState | null,
  versions: readonly Account[],
  rankOf: RankOf,
): AccountState => {
  const state = stateOf(versions, rankOf);
  return known !== null && state.current === known.current && state.lastLife === known.lastLife
    ? known
    : state;
};

const sameAccount = (a: Account, b: Account): boolean =>
  a.slot === b.slot &&
  a.writeVersion === b.writeVersion &&
  a.lamports === b.lamports &&
  a.executable === b.executable &&
  a.rentEpoch === b.rentEpoch &&
  sameBytes(a.programOwner, b.programOwner) &&
  sameBytes(a.data, b.data);
