import { memoryBound } from "@lamplight/core";

// Bounds and deadlines of following an ordinary RPC node.

/** Keys of one getMultipleAccounts, as nodes limit it. */
export const accountsPerCallMax = 100;
/** Pages of accounts asked for in parallel: roots, trees and blocks have calls left. */
export const pagesAtOnceMax = 4;
/** Entries of one getSignaturesForAddress, as nodes limit it. */
export const signaturesPerCallMax = 1000;
/** Signatures of one tree that are listed before its transactions are fetched, oldest first. */
export const signaturesPerTreeMax = 2_000_000;
/** Transactions handed on together. */
export const transactionsPerBatchMax = 256;
/** Rounds in which a listed transaction may be missing before the tree goes on without it. */
export const transactionMissedMax = 3;
/** Accounts of a filling that are stored together: a stop signal is obeyed between two such steps. */
export const fillBatchMax = 5_000;
/** Transactions that wait to be stored while a store is filled. */
export const filledTransactionsMax = 4096;

/** Calls under way at once, and calls that wait for their turn. */
export const concurrentCallsMax = 8;
export const waitingCallsMax = 10_000;
/** Tries of one call before its caller hears of the failure. */
export const attemptsMax = 6;
/** The first call to a node: with `attemptsMax`, a dead port is reported within about 15 seconds. */
export const firstCallMsMax = 10_000;
export const retryMsFirst = 500;
export const retryMsMax = 30_000;
/** Longest wait that a `Retry-After` is obeyed for. */
export const retryAfterMsMax = 120_000;
/** From the request to the end of an ordinary answer. */
export const callMsMax = 30_000;
/** A scan walks every account of a node: some take minutes. */
export const scanMsMax = 20 * 60_000;
/**
 * Ordinary answers, of which `concurrentCallsMax` may come at once: a hundred accounts of 10 MiB would be more, and then
 * fewer are asked for. One account of that size always fits.
 */
export const answerBytesMax = (): number => Math.max(messageBytesMax, memoryBound(1 / 32, 256 * 1024 ** 2));
/** One scan as text: the engine has no longer string, and parsing takes several times as much. */
export const scanBytesMax = (): number => memoryBound(1 / 8, 480 * 1024 ** 2);
/** Accounts of a scan that are looked at before others have their turn. */
export const rowsPerTurnMax = 500;
/** Of a refusal that is quoted in a message. */
export const reasonCharactersMax = 200;

/** Largest WebSocket message: an account of 10 MiB in base64, with room. */
export const messageBytesMax = 32 * 1024 * 1024;
export const openSocketMsMax = 15_000;
export const subscribeMsMax = 30_000;
export const pingMs = 30_000;
/** Without any message for so long the connection is dead, regardless of what TCP says. */
export const silenceMsMax = 60_000;
/** Subscriptions of one connection: nodes allow more, providers often fewer, and then refuse. */
export const subscriptionsMax = 1000;
/** Programs followed without being named, below the bound of subscriptions: each costs one, and one scan a round. */
export const foundProgramsMax = 900;
/** Trees followed without being named: the transactions of each are listed every round. */
export const foundTreesMax = 1000;
/** Waits between attempts to get a WebSocket while polling goes on. */
export const reconnectMsFirst = 500;
export const reconnectMsMax = 30_000;

/** Accounts that are followed at once: about 250 bytes of memory each. */
export const followedAccountsMax = 4_000_000;
/** Versions that wait for their slot to be whole, and bytes of their data; beyond it they are given up and everything is read again. */
export const pendingVersionsMax = 1_000_000;
export const pendingBytesMax = (): number => memoryBound(1 / 8, 1024 ** 3);
/**
 * A slot that is so much newer than the newest known one, about half an hour, is trouble and no data: the session ends,
 * and the next one asks where the node is. No one is away for that long within one.
 */
export const slotsAheadMax = 4096;
/** Times that a node is asked once more where it is, when that is far ahead of where it was. */
export const farAsksMore = 4;
/** Slots handed on of which the chain has not said whether they are final. */
export const openSlotsMax = 4096;
/** Refusals in a row by way of HTTP before a method counts as switched off. */
export const forbiddenTimesMax = 3;
/** Range of one getBlocks, as nodes limit it; and how far beyond the last slot in question it goes. */
export const blocksRangeMax = 500_000;
export const blocksBeyond = 512;

/** Defaults of the paces; all can be set. */
export const pollMsDefault = 2_000;
export const rescanMsDefault = 60_000;
/** Rounds of the full rescan that may fail or be slow before readiness says that closed accounts may stand for longer. */
export const rescanRoundsMissedMax = 3;
/** How often the node's slots are asked for, in addition to being reported. */
export const finalizedPollMs = 5_000;
/**
 * Transactions of the last slots of a store are listed again when it is gone on from: a node that was behind may have
 * left some out, and one further behind than that does not call itself healthy.
 */
export const treeOverlapSlots = 128;
/** How long a tree's transactions may hold back the slots that wait for them. */
export const treeHoldMsMax = 30_000;
/** For what a node says of a block. */
export const blockMsMax = 5_000;
/** How long a final slot waits for its hash, next to which others are reported; without an answer none is asked for again so soon. */
export const hashWaitMsMax = 1_000;
export const hashPauseMs = 30_000;
/** Before the transactions of a tree are asked for again, the first time and at most. */
export const treeRetryMs = 500;
export const treeRetryMsMax = 60_000;
