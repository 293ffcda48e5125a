import { ByteWriter } from "./byte-writer.ts";

export interface ClockFields {
  readonly slot: number;
  readonly epochStartTimestamp: bigint;
  readonly epoch: number;
  readonly unixTimestamp: bigint;
}

export const encodeClock = (clock: ClockFields): Uint8Array =>
  new ByteWriter()
    .u64(clock.slot)
    .i64(clock.epochStartTimestamp)
    .u64(clock.epoch)
    .u64(clock.epoch + 1)
    .i64(clock.unixTimestamp)
    .finish();

/** Rent as mainnet has it: 3480 lamports per byte and year, exempt from two years on. */
export const encodeRent = (): Uint8Array => new ByteWriter().u64(3480).f64(2).u8(50).finish();

/** Epochs of `slotsPerEpoch` from slot 0 on, without warm-up. */
export const encodeEpochSchedule = (slotsPerEpoch: number): Uint8Array =>
  new ByteWriter().u64(slotsPerEpoch).u64(slotsPerEpoch).u8(false).u64(0).u64(0).finish();
