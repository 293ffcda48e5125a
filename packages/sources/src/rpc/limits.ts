import { memoryBound } from "@lamplight/core";

// Bounds and deadlines of following an ordinary RPC node.

/** Keys of one getMultipleAccounts, as nodes limit it. */
export const ACCOUNTS_PER_CALL_MAX = 100;
/** Pages of accounts requested in parallel. Roots, trees and blocks keep some calls. */
export const PAGES_AT_ONCE_MAX = 4;
/** Entries of one getSignaturesForAddress, as nodes limit it. */
export const SIGNATURES_PER_CALL_MAX = 1000;
/** Signatures of one tree that are listed before its transactions are fetched, oldest first. */
export const SIGNATURES_PER_TREE_MAX = 2_000_000;
/** Transactions passed on together. */
export const TRANSACTIONS_PER_BATCH_MAX = 256;
/** Rounds in which a listed transaction may be missing. After that, the tree continues without it. */
export const TRANSACTION_MISSED_MAX = 3;
/** Accounts of a filling that are stored together. Between two such steps, a stop signal is obeyed. */
export const FILL_BATCH_MAX = 5_000;
/** Transactions that wait to be stored while a store is filled. */
export const FILLED_TRANSACTIONS_MAX = 4096;

/** Calls under way at once, and calls that wait for their turn. */
export const CONCURRENT_CALLS_MAX = 8;
export const WAITING_CALLS_MAX = 10_000;
/** Attempts of one call before its caller gets the failure. */
export const ATTEMPTS_MAX = 6;
/** The first call to a node: with `ATTEMPTS_MAX`, a dead port is reported within about 15 seconds. */
export const FIRST_CALL_MS_MAX = 10_000;
export const RETRY_MS_FIRST = 500;
export const RETRY_MS_MAX = 30_000;
/** Longest `Retry-After` that is obeyed. */
export const RETRY_AFTER_MS_MAX = 120_000;
/** Time from the request to the end of an ordinary answer. */
export const CALL_MS_MAX = 30_000;
/** A scan walks every account of a node: some take minutes. */
export const SCAN_MS_MAX = 20 * 60_000;
/**
 * Bytes of an ordinary answer. `CONCURRENT_CALLS_MAX` of them may arrive at once: if a page of accounts is larger,
 * fewer accounts are requested. One account of 10 MiB always fits.
 */
export const answerBytesMax = (): number => Math.max(MESSAGE_BYTES_MAX, memoryBound(1 / 32, 256 * 1024 ** 2));
/** Bytes of one scan as text. V8 has no longer string, and parsing takes several times as much. */
export const scanBytesMax = (): number => memoryBound(1 / 8, 480 * 1024 ** 2);
/** Accounts of a scan that are processed before other work gets a turn. */
export const ROWS_PER_TURN_MAX = 500;
/** Characters of a refusal that a message quotes. */
export const REASON_CHARACTERS_MAX = 200;

/** Largest WebSocket message: an account of 10 MiB in base64, with room. */
export const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;
export const OPEN_SOCKET_MS_MAX = 15_000;
export const SUBSCRIBE_MS_MAX = 30_000;
export const PING_MS = 30_000;
/** Without a message for so long, the connection counts as dead, even if TCP keeps it open. */
export const SILENCE_MS_MAX = 60_000;
/** Subscriptions of one connection: nodes allow more, providers often fewer, and then refuse. */
export const SUBSCRIPTIONS_MAX = 1000;
/**
 * Programs found and followed without being named. Lower than the bound of subscriptions: each needs a subscription,
 * and a scan in each round.
 */
export const FOUND_PROGRAMS_MAX = 900;
/** Trees found and followed without being named. The transactions of each are listed in every round. */
export const FOUND_TREES_MAX = 1000;
/** Waits between attempts to get a WebSocket while polling goes on. */
export const RECONNECT_MS_FIRST = 500;
export const RECONNECT_MS_MAX = 30_000;

/** Accounts that are followed at once: about 250 bytes of memory each. */
export const FOLLOWED_ACCOUNTS_MAX = 4_000_000;
/**
 * Versions that wait for their slot to be complete, and bytes of their data. Where either is exceeded, all are dropped,
 * and everything is read again.
 */
export const PENDING_VERSIONS_MAX = 1_000_000;
export const pendingBytesMax = (): number => memoryBound(1 / 8, 1024 ** 3);
/**
 * A slot that is so much newer than the newest known one is rejected. The session ends, and the next one asks the node
 * for its slot. No session pauses that long.
 */
export const AHEAD_SECONDS_MAX = 30 * 60;
/** Seconds for which closed accounts are remembered: longer than any answer is late. */
export const CLOSED_SECONDS_KEPT: number = (1.5 * SCAN_MS_MAX) / 1000;
/** The number of times that a node is asked for its slot again, if that is far ahead of the last one. */
export const FAR_SLOT_RETRIES_MAX = 4;
/** Emitted slots whose finality is not known yet. */
export const OPEN_SLOTS_MAX = 4096;
/** Jumps over slots that the node is asked about. Beyond it, further slots count as missed. */
export const SLOT_JUMPS_MAX = 64;
/** Slots whose parent is remembered until they are confirmed. */
export const PARENTS_MAX = 4096;
/** Refusals by HTTP status in a row after which a method counts as switched off. */
export const FORBIDDEN_TIMES_MAX = 3;
/** Range of one getBlocks, as nodes limit it; and how far beyond the last slot in question it goes. */
export const BLOCKS_RANGE_MAX = 500_000;
export const BLOCKS_BEYOND = 512;

/** Defaults of the intervals; all can be set. */
export const POLL_MS_DEFAULT = 2_000;
export const RESCAN_MS_DEFAULT = 60_000;
/**
 * Rounds of the full rescan that may fail or be slow before readiness reports that closed accounts may stay visible.
 */
export const RESCAN_ROUNDS_MISSED_MAX = 3;
/** The node's slots are polled so often, in addition to notifications. */
export const FINALIZED_POLL_MS = 5_000;
/**
 * Transactions of the last slots of a store are listed again at a restart, because a node that was behind may have
 * left some out. A node further behind than this does not report itself healthy, however long slots are.
 */
export const TREE_OVERLAP_SLOTS = 128;
/** A tree's transactions may delay the slots that wait for them so long. */
export const TREE_HOLD_MS_MAX = 30_000;
/** Time between two questions about how the cluster agrees on blocks. */
export const CONSENSUS_ASK_MS = 60_000;
/** The bound holds for calls about a block. */
export const BLOCK_MS_MAX = 5_000;
/**
 * A finalized slot waits so long for its hash, while others are emitted. After a timeout, no hash is requested for the
 * same time.
 */
export const HASH_WAIT_MS_MAX = 1_000;
export const HASH_PAUSE_MS = 30_000;
/** Milliseconds before the transactions of a tree are asked for again, the first time and at most. */
export const TREE_RETRY_MS = 500;
export const TREE_RETRY_MS_MAX = 60_000;
