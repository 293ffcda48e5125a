import { type Account, type AccountState, isOlderVersion } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";

/**
 * What a version is worth once a newer one has replaced it: nothing, the proof that an asset ended here (an emptied
 * account), or the asset's life.
 */
export const lifeRanks = { none: 0, emptied: 1, life: 2 } as const;
export type LifeRank = (typeof lifeRanks)[keyof typeof lifeRanks];

type RankOf = (account: Account) => LifeRank;

/**
 * The state after one more version has arrived; the same object when it changes nothing.
 *
 * Both halves are maxima (the newest version; of the older versions with a higher rank than the newest, those of the
 * highest rank, the newest of them), so any order and any repetition of arrivals ends in the same state. Versions that
 * are equal but differ in content are the one exception: the later arrival wins.
 */
export const mergeVersion = (known: AccountState | null, incoming: Account, rankOf: RankOf): AccountState => {
  if (known === null) return { current: incoming, lastLife: null };
  if (isOlderVersion(incoming, known.current)) return mergeStale(known, incoming, rankOf);
  if (sameAccount(known.current, incoming)) return known;
  const lastLife = betterLife(known.lastLife, known.current, rankOf);
  return { current: incoming, lastLife: rankOf(lastLife) > rankOf(incoming) ? lastLife : null };
};

const mergeStale = (known: AccountState, incoming: Account, rankOf: RankOf): AccountState => {
  const { current, lastLife } = known;
  if (rankOf(incoming) <= rankOf(current)) return known;
  const better = betterLife(lastLife, incoming, rankOf);
  return better === lastLife || (lastLife !== null && sameAccount(lastLife, better))
    ? known
    : { current, lastLife: better };
};

/** Of equal versions the second. */
const betterLife = (known: Account | null, other: Account, rankOf: RankOf): Account => {
  if (known === null) return other;
  const difference = rankOf(other) - rankOf(known);
  return difference > 0 || (difference === 0 && !isOlderVersion(other, known)) ? other : known;
};

const sameAccount = (a: Account, b: Account): boolean =>
  a.slot === b.slot &&
  a.writeVersion === b.writeVersion &&
  a.lamports === b.lamports &&
  a.executable === b.executable &&
  a.rentEpoch === b.rentEpoch &&
  sameBytes(a.programOwner, b.programOwner) &&
  sameBytes(a.data, b.data);
