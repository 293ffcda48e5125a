import { programAddresses } from "@lamplight/codecs";
import { type Draft, draftOf, rentExemptLamports, U64_MAX } from "../draft.ts";
import { encodeStake } from "../encode/stake.ts";
import { encodeVote } from "../encode/vote.ts";
import { epochOf, timestampOf, type World } from "../world.ts";

/** Slots that the votes of a vote account reach back. */
const VOTE_LOCKOUTS = 31;

const DAY_SECONDS = 86_400n;

/**
 * Stake accounts, delegated and not; every sixth has a lockup. `lastSlot` is the slot the chain will stop at: some
 * lockups are in force then, some are over, one kind ends exactly at its timestamp and so is no longer in force.
 */
export function* stakeAccounts(world: World, lastSlot: number): Generator<Draft> {
  for (let index = 0; index < world.counts.stakeAccounts; index += 1) {
    const random = world.random("stake", index);
    const staker = world.someWallet(random);
    const stake = BigInt(random.between(1, 1_000_000_000)) << BigInt(Math.min(random.heads(), 20));
    const activationEpoch = BigInt(Math.max(0, epochOf(lastSlot) - random.between(1, 300)));
    const data = encodeStake({
      reserve: rentExemptLamports(200),
      staker,
      withdrawer: random.percent(80) ? staker : world.someWallet(random),
      lockup: lockupOf(world, index, lastSlot),
      delegation: random.percent(12)
        ? null
        : {
            voter: world.address("vote", random.rank(world.counts.voteAccounts)),
            stake,
            activationEpoch,
            deactivationEpoch: random.percent(10) ? activationEpoch + 3n : U64_MAX,
            creditsObserved: BigInt(random.between(1, 400_000_000)),
          },
    });
    yield draftOf(world.address("stake", index), programAddresses.stake, data, stake);
  }
}

const lockupOf = (
  world: World,
  index: number,
  lastSlot: number,
): { timestamp: bigint; epoch: bigint; custodian: Uint8Array } => {
  const now = timestampOf(lastSlot);
  const custodian = world.address("authority", index % 7);
  switch (index % 24) {
    case 0:
      return { timestamp: now + 365n * DAY_SECONDS, epoch: 0n, custodian };
    case 6:
      return { timestamp: 0n, epoch: BigInt(epochOf(lastSlot) + 50), custodian };
    case 12:
      return { timestamp: now, epoch: BigInt(epochOf(lastSlot)), custodian };
    case 18:
      return { timestamp: now - 30n * DAY_SECONDS, epoch: 0n, custodian };
    default:
      return { timestamp: 0n, epoch: 0n, custodian: programAddresses.system };
  }
};

/** Vote accounts as they stand shortly before `slot`. */
export function* voteAccounts(world: World, slot: number): Generator<Draft> {
  const epoch = epochOf(slot);
  for (let index = 0; index < world.counts.voteAccounts; index += 1) {
    const random = world.random("vote", index);
    const node = world.address("node", index);
    const lag = random.between(1, 3);
    let credits = BigInt(random.between(1_000_000, 300_000_000));
    const epochCredits = Array.from({ length: 8 }, (_, age) => {
      const previous = credits;
      credits += BigInt(random.between(100_000, 430_000));
      return { epoch: epoch - 7 + age, credits, previous };
    });
    const data = encodeVote({
      node,
      voter: node,
      withdrawer: world.someWallet(random),
      commission: random.pick([0, 5, 5, 7, 8, 10, 100]),
      epoch,
      votes: Array.from({ length: VOTE_LOCKOUTS }, (_, age) => ({
        latency: random.between(1, 2),
        slot: slot - lag - VOTE_LOCKOUTS + age,
        confirmations: VOTE_LOCKOUTS - age,
      })),
      rootSlot: slot - lag - VOTE_LOCKOUTS - 1,
      epochCredits,
      timestamp: timestampOf(slot),
    });
    const earned = BigInt(random.below(2_000_000_000));
    yield draftOf(world.address("vote", index), programAddresses.vote, data, earned);
    yield { ...draftOf(node, programAddresses.system, new Uint8Array(0)), lamports: 1_000_000_000n + earned };
  }
}
