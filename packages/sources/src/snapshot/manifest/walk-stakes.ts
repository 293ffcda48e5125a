import { damaged } from "../archive/archive-fault.ts";
import type { ManifestCursor, Steps } from "./manifest-cursor.ts";

// An index of accounts does not need stakes. They are skipped field by field, because their length is not recorded.

/** Each stake account has a delegation; the newer form adds the observed credits. */
type StakesForm = "delegation" | "stake";
const delegationBytes: Readonly<Record<StakesForm, number>> = { delegation: 32 + 64, stake: 32 + 72 };

export function* walkStakes(cursor: ManifestCursor, form: StakesForm): Steps<void> {
  const votes = yield* cursor.count(32 + 8 + 8 + 8 + 32 + 1 + 8, "vote accounts");
  for (let index = 0; index < votes; index += 1) {
    yield* cursor.skip(32 + 8 + 8); // address, stake, lamports
    yield* cursor.skip(yield* cursor.count(1, "bytes of a vote account"));
    yield* cursor.skip(32 + 1 + 8); // owner, executable, rent epoch
  }
  yield* cursor.skip((yield* cursor.count(delegationBytes[form], "delegations")) * delegationBytes[form]);
  yield* cursor.skip(16); // unused, epoch
  yield* cursor.skip((yield* cursor.count(32, "epochs of the stake history")) * 32);
}

/** The epochs of the first, older list. */
export function* walkEpochStakes(cursor: ManifestCursor): Steps<void> {
  const epochs = yield* cursor.count(8 + 40 + 24, "epochs");
  for (let index = 0; index < epochs; index += 1) {
    yield* cursor.skip(8);
    yield* walkStakes(cursor, "delegation");
    yield* walkVoters(cursor);
  }
}

export function* walkVersionedEpochStakes(cursor: ManifestCursor): Steps<void> {
  const epochs = yield* cursor.count(8 + 4 + 40 + 24, "epochs");
  for (let index = 0; index < epochs; index += 1) {
    yield* cursor.skip(8);
    const start = cursor.position;
    const variant = yield* cursor.u32();
    if (variant !== 0) throw damaged(`the stakes of an epoch have the unknown form ${variant}`, start);
    yield* walkStakes(cursor, "stake");
    yield* walkVoters(cursor);
  }
}

function* walkVoters(cursor: ManifestCursor): Steps<void> {
  yield* cursor.skip(8); // total stake
  const nodes = yield* cursor.count(32 + 8 + 8, "nodes");
  for (let index = 0; index < nodes; index += 1) {
    yield* cursor.skip(32);
    yield* cursor.skip((yield* cursor.count(32, "vote accounts of a node")) * 32 + 8);
  }
  yield* cursor.skip((yield* cursor.count(64, "authorized voters")) * 64);
}
