import { ByteCursor } from "../bytes/byte-cursor.ts";
import { encodeAddress } from "../base58/encode-base58.ts";
import { sysvarAddressTexts } from "../programs/addresses.ts";
import { readSlotHistory, type SlotHistory } from "./slot-history.ts";

export interface Clock {
  readonly slot: bigint;
  readonly epochStartTimestamp: bigint;
  readonly epoch: bigint;
  readonly leaderScheduleEpoch: bigint;
  readonly unixTimestamp: bigint;
}

export interface EpochSchedule {
  readonly slotsPerEpoch: bigint;
  readonly leaderScheduleSlotOffset: bigint;
  readonly warmup: boolean;
  readonly firstNormalEpoch: bigint;
  readonly firstNormalSlot: bigint;
}

export interface EpochRewards {
  readonly distributionStartingBlockHeight: bigint;
  readonly numPartitions: bigint;
  readonly parentBlockhash: Uint8Array;
  /** 0 to 2^128 - 1. */
  readonly totalPoints: bigint;
  /** Lamports. */
  readonly totalRewards: bigint;
  /** Lamports. */
  readonly distributedRewards: bigint;
  readonly active: boolean;
}

export interface StakeHistoryEntry {
  readonly epoch: bigint;
  /** Lamports, as the two below. */
  readonly effective: bigint;
  readonly activating: bigint;
  readonly deactivating: bigint;
}

export type Sysvar =
  | { readonly kind: "clock"; readonly clock: Clock }
  | { readonly kind: "epochSchedule"; readonly epochSchedule: EpochSchedule }
  | { readonly kind: "epochRewards"; readonly epochRewards: EpochRewards }
  | { readonly kind: "fees"; readonly lamportsPerSignature: bigint }
  | { readonly kind: "lastRestartSlot"; readonly slot: bigint }
  | {
      readonly kind: "recentBlockhashes";
      readonly entries: readonly { readonly blockhash: Uint8Array; readonly lamportsPerSignature: bigint }[];
    }
  | { readonly kind: "rent"; readonly lamportsPerByte: bigint }
  | { readonly kind: "rewards"; readonly validatorPointValue: number }
  | {
      readonly kind: "slotHashes";
      readonly entries: readonly { readonly slot: bigint; readonly hash: Uint8Array }[];
    }
  | { readonly kind: "slotHistory"; readonly slotHistory: SlotHistory }
  | { readonly kind: "stakeHistory"; readonly entries: readonly StakeHistoryEntry[] };

/**
 * The sysvar at that address. Null when the address is none that is known (the instructions sysvar holds nothing
 * between transactions) or the data does not hold it. Hashes are views.
 */
export const decodeSysvar = (address: Uint8Array, data: Uint8Array): Sysvar | null => {
  const read = readers.get(encodeAddress(address));
  if (read === undefined) return null;
  const cursor = new ByteCursor(data);
  const sysvar = read(cursor);
  return cursor.failed ? null : sysvar;
};

/** The Clock sysvar's data; null when it is too short. */
export const decodeClock = (data: Uint8Array): Clock | null => {
  const cursor = new ByteCursor(data);
  const clock = readClock(cursor);
  return cursor.failed ? null : clock;
};

const readClock = (cursor: ByteCursor): Clock => ({
  slot: cursor.u64(),
  epochStartTimestamp: cursor.i64(),
  epoch: cursor.u64(),
  leaderScheduleEpoch: cursor.u64(),
  unixTimestamp: cursor.i64(),
});

const readEpochSchedule = (cursor: ByteCursor): EpochSchedule => ({
  slotsPerEpoch: cursor.u64(),
  leaderScheduleSlotOffset: cursor.u64(),
  warmup: cursor.strictBool(),
  firstNormalEpoch: cursor.u64(),
  firstNormalSlot: cursor.u64(),
});

const readEpochRewards = (cursor: ByteCursor): EpochRewards => ({
  distributionStartingBlockHeight: cursor.u64(),
  numPartitions: cursor.u64(),
  parentBlockhash: cursor.bytes(32),
  totalPoints: cursor.u128(),
  totalRewards: cursor.u64(),
  distributedRewards: cursor.u64(),
  active: cursor.strictBool(),
});

/** Two more fields follow the rate; they are not shown, but they must be there. */
const readRent = (cursor: ByteCursor): Sysvar => {
  const lamportsPerByte = cursor.u64();
  cursor.bytes(9);
  return { kind: "rent", lamportsPerByte };
};

const readRewards = (cursor: ByteCursor): Sysvar => {
  const validatorPointValue = cursor.f64();
  cursor.f64(); // unused
  return { kind: "rewards", validatorPointValue };
};

const readers: ReadonlyMap<string, (cursor: ByteCursor) => Sysvar> = new Map<
  string,
  (cursor: ByteCursor) => Sysvar
>([
  [sysvarAddressTexts.clock, (cursor) => ({ kind: "clock", clock: readClock(cursor) })],
  [
    sysvarAddressTexts.epochSchedule,
    (cursor) => ({ kind: "epochSchedule", epochSchedule: readEpochSchedule(cursor) }),
  ],
  [
    sysvarAddressTexts.epochRewards,
    (cursor) => ({ kind: "epochRewards", epochRewards: readEpochRewards(cursor) }),
  ],
  [sysvarAddressTexts.fees, (cursor) => ({ kind: "fees", lamportsPerSignature: cursor.u64() })],
  [sysvarAddressTexts.lastRestartSlot, (cursor) => ({ kind: "lastRestartSlot", slot: cursor.u64() })],
  [
    sysvarAddressTexts.recentBlockhashes,
    (cursor) => ({
      kind: "recentBlockhashes",
      entries: cursor.list(40, () => ({ blockhash: cursor.bytes(32), lamportsPerSignature: cursor.u64() })),
    }),
  ],
  [sysvarAddressTexts.rent, readRent],
  [sysvarAddressTexts.rewards, readRewards],
  [
    sysvarAddressTexts.slotHashes,
    (cursor) => ({
      kind: "slotHashes",
      entries: cursor.list(40, () => ({ slot: cursor.u64(), hash: cursor.bytes(32) })),
    }),
  ],
  [
    sysvarAddressTexts.slotHistory,
    (cursor) => ({ kind: "slotHistory", slotHistory: readSlotHistory(cursor) }),
  ],
  [
    sysvarAddressTexts.stakeHistory,
    (cursor) => ({
      kind: "stakeHistory",
      entries: cursor.list(32, () => ({
        epoch: cursor.u64(),
        effective: cursor.u64(),
        activating: cursor.u64(),
        deactivating: cursor.u64(),
      })),
    }),
  ],
]);
