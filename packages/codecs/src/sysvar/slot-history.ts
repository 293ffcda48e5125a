import type { ByteCursor } from "../bytes/byte-cursor.ts";

/** The last slots, each with whether it was produced. */
export interface SlotHistory {
  /** A view of 131,072 bytes, one bit per slot, the lowest bit of the first byte first. */
  readonly bits: Uint8Array;
  readonly nextSlot: bigint;
}

/** Slots that the history covers. */
const SLOT_HISTORY_BITS = 1_048_576;

/** The stored bit vector says twice how long it is; a shorter one than the runtime writes holds no history. */
export const readSlotHistory = (cursor: ByteCursor): SlotHistory => {
  const present = cursor.u8();
  const words = cursor.u64();
  if (present !== 1 || !cursor.hasItems(words, 8)) cursor.failed = true;
  const bits = cursor.failed ? new Uint8Array(0) : cursor.bytes(Number(words) * 8);
  const bitCount = cursor.u64();
  const nextSlot = cursor.u64();
  if (bitCount < BigInt(SLOT_HISTORY_BITS) || bits.length * 8 < SLOT_HISTORY_BITS) cursor.failed = true;
  return { bits: bits.subarray(0, SLOT_HISTORY_BITS / 8), nextSlot };
};
