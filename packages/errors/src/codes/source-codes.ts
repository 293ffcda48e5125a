import { type AddressFault, define, oneLine } from "./definition.ts";

/** Errors about input from a chain: bytes, files, archives, streams. */
export const sourceCodes = {
  /**
   * The slots above the finalized one exceed a bound of the overlay: finality stands still, or the slots are very large.
   * `seconds` = how long slots arrived while none was finalized.
   */
  CHAIN__FINALITY_STALLED: define<{
    finalizedSlot: number;
    seconds: number;
    slots: number;
    versions: number;
    bytes: number;
    assets: number;
    assetBytes: number;
  }>({
    family: "world",
    retryable: true,
    message: ({ finalizedSlot, seconds, slots, versions, bytes, assets, assetBytes }) =>
      `Too much data above finalized slot ${finalizedSlot}: ${seconds} s without a finalized slot, ${slots} slots, ${versions} account versions (${bytes} bytes), ${assets} derived assets (${assetBytes} bytes). Only finalized reads work until that slot advances`,
    rpc: {
      code: -32067,
      message: () => "Finalization has stalled; only commitment finalized is available",
      httpStatus: 503,
    },
  }),
  /** A slot arrived whose parent is not known. */
  CHAIN__PARENT_UNKNOWN: define<{ slot: number; parent: number; finalizedSlot: number }>({
    family: "world",
    retryable: true,
    message: ({ slot, parent, finalizedSlot }) =>
      `Slot ${slot} has parent ${parent}, which is neither known nor the finalized slot ${finalizedSlot}`,
  }),
  /** A rollback of a chain in memory. `slot` is the lowest slot that it would remove. */
  CHAIN__FINALIZED: define<{ slot: number; finalized: number }>({
    family: "caller",
    retryable: false,
    message: ({ slot, finalized }) =>
      `Slot ${slot} cannot be replaced: slots up to ${finalized} are finalized. Replace fewer slots, or turn autoFinalize off`,
  }),
  /** An operation on a chain in memory. `property` names the member of the call that is wrong. */
  CHAIN__INVALID_INPUT: define<{ property: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ property, reason }) => `${property} ${reason}`,
  }),
  CODEC__AMOUNT_OUT_OF_RANGE: define<{ amount: bigint; decimals: number }>({
    family: "us",
    retryable: false,
    message: ({ amount, decimals }) => `amount ${amount} with ${decimals} decimals is outside u64 or u8`,
  }),
  CODEC__ADDRESS: define<{ text: string; fault: AddressFault }>({
    family: "caller",
    retryable: false,
    message: ({ text, fault }) => `${JSON.stringify(text.slice(0, 64))} is not an address: ${fault}`,
  }),
  CODEC__MALFORMED: define<{ kind: string; reason: string }>({
    family: "world",
    retryable: false,
    message: ({ kind, reason }) => `${kind} cannot be decoded: ${reason}`,
  }),
  /** `line` is 1-based, for files with one account per line. */
  SOURCE__BAD_DUMP: define<{ file: string; reason: string; line?: number }>({
    family: "caller",
    retryable: false,
    message: ({ file, reason, line }) => `${file}${line === undefined ? "" : `:${line}`}: ${oneLine(reason)}`,
  }),
  /** A live source sent a message that violates its protocol. */
  SOURCE__BAD_MESSAGE: define<{ reason: string }>({
    family: "world",
    retryable: true,
    message: ({ reason }) => `The source sent a message that ${reason}`,
  }),
  /** The operator's settings do not fit the source. Retrying does not help. */
  SOURCE__REFUSED: define<{ url: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ url, reason }) => `${url} refused the request: ${reason}`,
  }),
  /** An account of a node was to be copied, and the node has none of that address. */
  SOURCE__NO_ACCOUNT: define<{ url: string; address: string }>({
    family: "caller",
    retryable: false,
    message: ({ url, address }) =>
      `${url} has no account ${address}; a compressed asset has none, and cannot be cloned`,
  }),
  /** The source has never answered: the address is wrong, or the node is not running. */
  SOURCE__UNREACHABLE: define<{ url: string; reason: string }>({
    family: "world",
    retryable: false,
    message: ({ url, reason }) =>
      `${url} does not answer (${reason}). Check the address and that the node is running (a local one: solana-test-validator), then start again`,
  }),
  SOURCE__LOST: define<{ url: string; reason: string }>({
    family: "world",
    retryable: true,
    message: ({ url, reason }) => `The stream from ${url} ended: ${reason}`,
  }),
  SOURCE__NO_SUCH_PATH: define<{ path: string }>({
    family: "caller",
    retryable: false,
    message: ({ path }) => `${path} does not exist`,
  }),
  /** The archive is of another kind or an unknown version, or the archives do not belong together. */
  SOURCE__SNAPSHOT_REFUSED: define<{ archive: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ archive, reason }) => `${archive} cannot be loaded: ${reason}`,
  }),
  /** `entry` and `offset` (in bytes within the entry) locate the damage, as far as known. */
  SOURCE__SNAPSHOT_DAMAGED: define<{ archive: string; reason: string; entry?: string; offset?: number }>({
    family: "world",
    retryable: false,
    message: ({ archive, reason, entry, offset }) =>
      `${archive} is damaged${entry === undefined ? "" : ` in ${entry}`}${offset === undefined ? "" : ` at byte ${offset}`}: ${reason}`,
  }),
  /** The accounts that were read do not match a value that the archive records. */
  SOURCE__SNAPSHOT_MISMATCH: define<{ archive: string; what: string; expected: string; found: string }>({
    family: "world",
    retryable: false,
    message: ({ archive, what, expected, found }) =>
      `${archive} failed verification: its ${what} is ${expected}, but its accounts give ${found}`,
  }),
  SOURCE__DOWNLOAD: define<{ url: string; reason: string }>({
    family: "world",
    retryable: true,
    message: ({ url, reason }) => `${url} could not be downloaded: ${reason}`,
  }),
};
