import { memoryBound } from "@lamplight/core";

// Bounds and deadlines of following an ordinary RPC node.

/** Keys of one getMultipleAccounts, as nodes limit it. */
export const accountsPerCallMax = 100;
/** Pages of accounts requested in parallel. Roots, trees and blocks keep some calls. */
export const pagesAtOnceMax = 4;
/** Entries of one getSignaturesForAddress, as nodes limit it. */
export const signaturesPerCallMax = 1000;
/** Signatures of one tree that are listed before its transactions are fetched, oldest first. */
export const signaturesPerTreeMax = 2_000_000;
/** Transactions passed on together. */
export const transactionsPerBatchMax = 256;
/** Rounds in which a listed transaction may be missing. After that, the tree continues without it. */
export const transactionMissedMax = 3;
/** Accounts of a filling that are stored together. Between two such steps, a stop signal is obeyed. */
export const fillBatchMax = 5_000;
/** Transactions that wait to be stored while a store is filled. */
export const filledTransactionsMax = 4096;

/** Calls under way at once, and calls that wait for their turn. */
export const concurrentCallsMax = 8;
export const waitingCallsMax = 10_000;
/** Attempts of one call before its caller gets the failure. */
export const attemptsMax = 6;
/** The first call to a node: with `attemptsMax`, a dead port is reported within about 15 seconds. */
export const firstCallMsMax = 10_000;
export const retryMsFirst = 500;
export const retryMsMax = 30_000;
/** Longest `Retry-After` that is obeyed. */
export const retryAfterMsMax = 120_000;
/** Time from the request to the end of an ordinary answer. */
export const callMsMax = 30_000;
/** A scan walks every account of a node: some take minutes. */
export const scanMsMax = 20 * 60_000;
/**
 * Bytes of an ordinary answer. `concurrentCallsMax` of them may arrive at once: if a page of accounts is larger,
 * fewer accounts are requested. One account of 10 MiB always fits.
 */
export const answerBytesMax = (): number => Math.max(messageBytesMax, memoryBound(1 / 32, 256 * 1024 ** 2));
/** Bytes of one scan as text. V8 has no longer string, and parsing takes several times as much. */
export const scanBytesMax = (): number => memoryBound(1 / 8, 480 * 1024 ** 2);
/** Accounts of a scan that are processed before other work gets a turn. */
export const rowsPerTurnMax = 500;
/** Characters of a refusal that a message quotes. */
export const reasonCharactersMax = 200;

/** Largest WebSocket message: an account of 10 MiB in base64, with room. */
export const messageBytesMax = 32 * 1024 * 1024;
export const openSocketMsMax = 15_000;
export const subscribeMsMax = 30_000;
export const pingMs = 30_000;
/** Without a message for so long, the connection counts as dead, even if TCP keeps it open. */
export const silenceMsMax = 60_000;
/** Subscriptions of one connection: nodes allow more, providers often fewer, and then refuse. */
export const subscriptionsMax = 1000;
/**
 * Programs found and followed without being named. Lower than the bound of subscriptions: each needs a subscription,
 * and a scan in each round.
 */
export const foundProgramsMax = 900;
/** Trees found and followed without being named. The transactions of each are listed in every round. */
export const foundTreesMax = 1000;
/** Waits between attempts to get a WebSocket while polling goes on. */
export const reconnectMsFirst = 500;
export const reconnectMsMax = 30_000;

/** Accounts that are followed at once: about 250 bytes of memory each. */
export const followedAccountsMax = 4_000_000;
/**
 * Versions that wait for their slot to be complete, and bytes of their data. Where either is exceeded, all are dropped,
 * and everything is read again.
 */
export const pendingVersionsMax = 1_000_000;
export const pendingBytesMax = (): number => memoryBound(1 / 8, 1024 ** 3);
/**
 * A slot that is so much newer than the newest known one is rejected. The session ends, and the next one asks the node
 * for its slot. No session pauses that long.
 */
export const aheadSecondsMax = 30 * 60;
/** Seconds for which closed accounts are remembered: longer than any answer is late. */
export const closedSecondsKept: number = (1.5 * scanMsMax) / 1000;
/** The number of times that a node is asked for its slot again, if that is far ahead of the last one. */
export const farSlotRetriesMax = 4;
/** Emitted slots whose finality is not known yet. */
export const openSlotsMax = 4096;
/** Jumps over slots that the node is asked about. Beyond it, further slots count as missed. */
export const slotJumpsMax = 64;
/** Slots whose parent is remembered until they are confirmed. */
export const parentsMax = 4096;
/** Refusals by HTTP status in a row after which a method counts as switched off. */
export const forbiddenTimesMax = 3;
/** Range of one getBlocks, as nodes limit it; and how far beyond the last slot in question it goes. */
export const blocksRangeMax = 500_000;
export const blocksBeyond = 512;

/** Defaults of the intervals; all can be set. */
export const pollMsDefault = 2_000;
export const rescanMsDefault = 60_000;
/**
 * Rounds of the full rescan that may fail or be slow before readiness reports that closed accounts may stay visible.
 */
export const rescanRoundsMissedMax = 3;
/** The node's slots are polled so often, in addition to notifications. */
export const finalizedPollMs = 5_000;
/**
 * Transactions of the last slots of a store are listed again at a restart, because a node that was behind may have
 * left some out. A node further behind than this does not report itself healthy, however long slots are.
 */
export const treeOverlapSlots = 128;
/** A tree's transactions may delay the slots that wait for them so long. */
export const treeHoldMsMax = 30_000;
/** Time between two questions about how the cluster agrees on blocks. */
export const consensusAskMs = 60_000;
/** The bound holds for calls about a block. */
export const blockMsMax = 5_000;
/**
 * A finalized slot waits so long for its hash, while others are emitted. After a timeout, no hash is requested for the
 * same time.
 */
export const hashWaitMsMax = 1_000;
export const hashPauseMs = 30_000;
/** Milliseconds before the transactions of a tree are asked for again, the first time and at most. */
export const treeRetryMs = 500;
export const treeRetryMsMax = 60_000;
