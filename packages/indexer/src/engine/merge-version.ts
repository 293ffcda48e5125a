import { type Account, type AccountState, isOlderVersion } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";

/**
 * The state after one more version has arrived; the same object when it changes nothing.
 *
 * Both halves are maxima (the newest version; the newest version with an outliving claim below a newest version
 * without one), so any order and any repetition of arrivals ends in the same state. Versions that are equal but
 * differ in content are the one exception: the later arrival wins.
 */
export const mergeVersion = (
  known: AccountState | null,
  incoming: Account,
  outlives: (account: Account) => boolean,
): AccountState => {
  if (known === null) return { current: incoming, lastLife: null };
  if (isOlderVersion(incoming, known.current)) return mergeStale(known, incoming, outlives);
  if (sameAccount(known.current, incoming)) return known;
  const lastLife = outlives(known.current) ? known.current : known.lastLife;
  return { current: incoming, lastLife: outlives(incoming) ? null : lastLife };
};

const mergeStale = (
  known: AccountState,
  incoming: Account,
  outlives: (account: Account) => boolean,
): AccountState => {
  if (outlives(known.current) || !outlives(incoming)) return known;
  const { lastLife } = known;
  if (lastLife !== null && (isOlderVersion(incoming, lastLife) || sameAccount(lastLife, incoming)))
    return known;
  return { current: known.current, lastLife: incoming };
};

const sameAccount = (a: Account, b: Account): boolean =>
  a.slot === b.slot &&
  a.writeVersion === b.writeVersion &&
  a.lamports === b.lamports &&
  a.executable === b.executable &&
  a.rentEpoch === b.rentEpoch &&
  sameBytes(a.programOwner, b.programOwner) &&
  sameBytes(a.data, b.data);
