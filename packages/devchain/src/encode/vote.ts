import { ByteWriter } from "./byte-writer.ts";

export interface VoteFields {
  readonly node: Uint8Array;
  readonly voter: Uint8Array;
  readonly withdrawer: Uint8Array;
  /** Percent. */
  readonly commission: number;
  readonly epoch: number;
  readonly votes: readonly {
    readonly latency: number;
    readonly slot: number;
    readonly confirmations: number;
  }[];
  readonly rootSlot: number;
  readonly epochCredits: readonly {
    readonly epoch: number;
    readonly credits: bigint;
    readonly previous: bigint;
  }[];
  readonly timestamp: bigint;
}

/** 32 entries of key and two numbers, an index and a flag. */
const PRIOR_VOTERS_BYTES = 32 * 48 + 8 + 1;

/** A vote account of the third layout, 3762 bytes. */
export const encodeVote = (vote: VoteFields): Uint8Array => {
  const writer = new ByteWriter().u32(2).bytes(vote.node).bytes(vote.withdrawer).u8(vote.commission);
  writer.u64(vote.votes.length);
  for (const { latency, slot, confirmations } of vote.votes) writer.u8(latency).u64(slot).u32(confirmations);
  writer.option(vote.rootSlot, (slot, to) => to.u64(slot));
  writer.u64(1).u64(vote.epoch).bytes(vote.voter);
  writer
    .zeros(PRIOR_VOTERS_BYTES - 9)
    .u64(31)
    .u8(true);
  writer.u64(vote.epochCredits.length);
  for (const { epoch, credits, previous } of vote.epochCredits) writer.u64(epoch).u64(credits).u64(previous);
  writer.u64(vote.votes.at(-1)?.slot ?? 0).i64(vote.timestamp);
  return writer.finish(3762);
};
