import { decodeVote, encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { ParsedJson } from "./parsed-json.ts";

/** Accounts of the vote program, shown as the newest version regardless of the stored one. */
export const parseVote = (data: Uint8Array, address: Uint8Array): ParsedJson => {
  const vote = decodeVote(data);
  if (vote === null) return null;
  const info = {
    authorizedVoters: vote.authorizedVoters.map(({ authorizedVoter, epoch }) => ({
      authorizedVoter: encodeAddress(authorizedVoter),
      epoch,
    })),
    authorizedWithdrawer: encodeAddress(vote.authorizedWithdrawer),
    blockRevenueCollector: encodeAddress(vote.blockRevenueCollector),
    blockRevenueCommissionBps: vote.blockRevenueCommissionBps,
    blsPubkeyCompressed: vote.blsPubkeyCompressed === null ? null : encodeBase58(vote.blsPubkeyCompressed),
    commission: commissionPercent(vote.inflationRewardsCommissionBps),
    epochCredits: vote.epochCredits.map(({ credits, epoch, previousCredits }) => ({
      credits: credits.toString(),
      epoch,
      previousCredits: previousCredits.toString(),
    })),
    inflationRewardsCollector: encodeAddress(vote.inflationRewardsCollector ?? address),
    inflationRewardsCommissionBps: vote.inflationRewardsCommissionBps,
    lastTimestamp: { slot: vote.lastTimestamp.slot, timestamp: vote.lastTimestamp.timestamp },
    nodePubkey: encodeAddress(vote.node),
    pendingDelegatorRewards: vote.pendingDelegatorRewards.toString(),
    priorVoters: [],
    rootSlot: vote.rootSlot,
    votes: vote.votes.map(({ confirmationCount, latency, slot }) => ({ confirmationCount, latency, slot })),
  };
  return { info, type: "vote" };
};

/** Rounded up, and never above what one byte holds. */
const commissionPercent = (bps: number): number => Math.min(Math.ceil(bps / 100), 255);
