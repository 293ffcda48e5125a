// The registry of all errors. Each has a stable name and a context with the values a person needs.
// Errors that a caller may receive also have a JSON-RPC code and message. Names are never renamed or reused.

/** Who has to act. `caller`: correct the call. `world`: wait or retry. `us`: a bug in Lamplight. */
export type ErrorFamily = "caller" | "world" | "us";

/** The error that a caller receives. `data` selects the context members that may be published. */
export interface PublicError<Context> {
  readonly code: number;
  readonly message: (context: Context) => string;
  readonly data?: (context: Context) => unknown;
  /** Set for errors that are found before the call runs. Errors of a call are sent with HTTP 200. */
  readonly httpStatus?: number;
  /**
   * Code for the four account methods, because their clients fail on unknown codes.
   * `data.reason` then holds the name of the error.
   */
  readonly accountMethodCode?: -32600 | -32602 | -32603;
}

export interface ErrorDefinition<Context> {
  readonly family: ErrorFamily;
  readonly retryable: boolean;
  /** For logs and the command line: one clear sentence. */
  readonly message: (context: Context) => string;
  readonly rpc?: PublicError<Context>;
}

const define = <Context>(definition: ErrorDefinition<Context>): ErrorDefinition<Context> => definition;

/** Replaces line breaks and control characters: a message may quote a foreign file. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ");

/** An error whose log message is also sent to the caller. */
const caller = <Context>(
  code: number,
  message: (context: Context) => string,
  more: Omit<PublicError<Context>, "code" | "message"> = {},
): ErrorDefinition<Context> => ({
  family: "caller",
  retryable: false,
  message,
  rpc: { code, message, ...more },
});

/** The server has no capacity left. Inside a batch it is the error of single calls, sent with HTTP 200. */
const busy: PublicError<object> = {
  code: -32069,
  message: () => "Busy, try again",
  data: () => ({ reason: "busy" }),
  httpStatus: 503,
  accountMethodCode: -32603,
};

/** Agave's words, which clients match on; see `Invalid param: …` in the contract. */
export type AddressFault = "Invalid" | "WrongSize";

export const errorCodes = {
  // ---- requests -------------------------------------------------------------------------------------------
  REQUEST__PARSE: caller<object>(-32700, () => "Parse error"),
  REQUEST__INVALID: caller<{ reason: string }>(-32600, () => "Invalid request", {
    data: ({ reason }) => ({ reason }),
  }),
  /** `hint` names what answers here in place of a method of other servers. */
  REQUEST__METHOD_NOT_FOUND: caller<{ method: string; nearest?: string; hint?: string }>(
    -32601,
    () => "Method not found",
    {
      data: ({ method, nearest, hint }) => ({
        method: method.slice(0, 64),
        ...(nearest === undefined ? {} : { nearest }),
        ...(hint === undefined ? {} : { hint }),
      }),
    },
  ),
  REQUEST__KEY_UNKNOWN: caller<object>(-32060, () => "API key missing or unknown", { httpStatus: 401 }),
  REQUEST__KEY_NOT_ALLOWED: caller<object>(-32061, () => "API key not allowed here", { httpStatus: 403 }),
  /** Also sent after too many wrong keys from one address. */
  REQUEST__RATE: caller<object>(-32062, () => "Too many requests", { httpStatus: 429 }),
  REQUEST__QUOTA: caller<object>(-32063, () => "Quota used up", { httpStatus: 429 }),
  REQUEST__BODY_TOO_LARGE: caller<{ limitBytes: number }>(
    -32064,
    ({ limitBytes }) => `Request body is larger than ${limitBytes} bytes`,
    { httpStatus: 413, data: ({ limitBytes }) => ({ limitBytes }) },
  ),
  REQUEST__BATCH_TOO_LARGE: caller<{ count: number; limit: number }>(
    -32065,
    ({ count, limit }) => `Batch has ${count} calls; at most ${limit} are answered`,
    { data: ({ limit }) => ({ limit, reason: "REQUEST__BATCH_TOO_LARGE" }), accountMethodCode: -32600 },
  ),
  REQUEST__BODY_TIMEOUT: caller<{ timeoutMs: number }>(
    -32600,
    ({ timeoutMs }) => `Request body did not arrive within ${timeoutMs} ms`,
    { httpStatus: 408 },
  ),
  REQUEST__HTTP_METHOD: caller<{ answered: "POST" | "GET" }>(
    -32600,
    ({ answered }) => `Only ${answered} is supported on this path`,
    { httpStatus: 405 },
  ),
  REQUEST__NOT_FOUND: caller<object>(-32600, () => "No such path; calls go to POST /v3/<API_KEY>", {
    httpStatus: 404,
  }),
  REQUEST__TARGET: caller<object>(
    -32600,
    () => "Request target must be a path or an http(s) URL, with one Host header",
    { httpStatus: 400 },
  ),
  REQUEST__HOST_NOT_ALLOWED: caller<object>(
    -32600,
    () => "Host name not allowed; add it to the server's setting allowedHosts",
    { httpStatus: 421 },
  ),
  REQUEST__HTTP_VERSION: caller<object>(-32600, () => "Only HTTP/1.1 and HTTP/1.0 are supported", {
    httpStatus: 400,
  }),
  REQUEST__CONTENT_TYPE: caller<object>(-32600, () => "Content-Type: application/json is required", {
    httpStatus: 415,
  }),
  REQUEST__CONTENT_ENCODING: caller<object>(
    -32600,
    () => "Content-Encoding must be absent, identity or gzip",
    {
      httpStatus: 415,
    },
  ),
  // ---- parameters -----------------------------------------------------------------------------------------
  /** `position` is 1-based, and null in calls by name. `hint` names the nearest valid alternative. */
  PARAM__INVALID: caller<{ parameter: string; position: number | null; reason: string; hint?: string }>(
    -32602,
    ({ parameter, position, reason, hint }) =>
      `Invalid params: ${position === null ? "" : `position ${position} `}${parameter} ${reason}${hint ? `; ${hint}` : ""}`,
    {
      data: ({ parameter, position, hint }) => ({
        parameter,
        ...(position === null ? {} : { position }),
        ...(hint === undefined ? {} : { hint }),
      }),
    },
  ),
  PARAM__COUNT: caller<{ method: string; fewest: number; most: number; got: number }>(
    -32602,
    ({ method, fewest, most, got }) =>
      `Invalid params: ${method} takes ${fewest === most ? fewest : `${fewest} to ${most}`} positions, got ${got}`,
    { data: ({ fewest, most, got }) => ({ fewest, most, got }) },
  ),
  PARAM__UNKNOWN_NAME: caller<{ name: string; nearest?: string }>(
    -32602,
    ({ name, nearest }) =>
      `Invalid params: unknown name ${JSON.stringify(name.slice(0, 64))}${nearest ? `; did you mean ${nearest}?` : ""}`,
    { data: ({ nearest }) => (nearest === undefined ? undefined : { nearest }) },
  ),
  /** The address parameter of one of the four account methods; Agave's text. */
  PARAM__ADDRESS: caller<{ parameter: string; fault: AddressFault }>(
    -32602,
    ({ fault }) => `Invalid param: ${fault}`,
    { data: ({ parameter }) => ({ parameter }) },
  ),
  PARAM__NOT_SUPPORTED_YET: caller<{ parameter: string }>(
    -32602,
    ({ parameter }) => `Invalid params: this version does not support ${parameter}`,
    { data: ({ parameter }) => ({ parameter }) },
  ),
  // ---- account methods: Agave's messages ---------------------------------------------------------------------
  TOKEN__ACCOUNT_NOT_FOUND: caller<object>(-32602, () => "Invalid param: could not find account"),
  TOKEN__NOT_A_MINT: caller<object>(-32602, () => "Invalid param: not a Token mint"),
  TOKEN__MINT_BROKEN: caller<object>(-32602, () => "Invalid param: mint could not be unpacked"),
  TOKEN__FILTER_MINT_NOT_FOUND: caller<object>(-32602, () => "Invalid param: could not find mint"),
  TOKEN__FILTER_MINT_BROKEN: caller<object>(-32602, () => "Invalid param: Token mint could not be unpacked"),
  TOKEN__UNKNOWN_PROGRAM: caller<object>(-32602, () => "Invalid param: unrecognized Token program id"),
  ACCOUNT__BASE58_TOO_LARGE: caller<object>(
    -32600,
    () => "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
  ),
  ACCOUNT__SLOT_NOT_REACHED: caller<{ contextSlot: number }>(
    -32016,
    () => "Minimum context slot has not been reached",
    { data: ({ contextSlot }) => ({ contextSlot }) },
  ),
  // ---- assets ---------------------------------------------------------------------------------------------
  ASSET__NOT_FOUND: caller<{ id: string }>(-32000, () => "Asset Not Found", { data: ({ id }) => ({ id }) }),
  ASSET__NO_MASTER_EDITION: caller<{ id: string }>(-32000, () => "Master Edition not found", {
    data: ({ id }) => ({ id }),
  }),
  // ---- budgets, coverage, readiness -----------------------------------------------------------------------
  QUERY__OVER_BUDGET: caller<{ reason: string; cheaper: string }>(
    -32066,
    ({ reason, cheaper }) => `Query over its budget: ${reason}; cheaper: ${cheaper}`,
    { data: ({ cheaper }) => ({ cheaper, reason: "QUERY__OVER_BUDGET" }), accountMethodCode: -32602 },
  ),
  STORE__LOADING: define<{ retryAfterSeconds: number }>({
    family: "world",
    retryable: true,
    message: () => "The index is still loading",
    rpc: { code: -32067, message: () => "Index still loading", httpStatus: 503 },
  }),
  STORE__NOT_COVERED: caller<{ what: string }>(
    -32068,
    ({ what }) => `Outside what this store covers: ${what}`,
    { data: ({ what }) => ({ reason: "STORE__NOT_COVERED", what }), accountMethodCode: -32602 },
  ),
  STORE__BUSY: define<{ limit: number }>({
    family: "world",
    retryable: true,
    message: ({ limit }) => `All ${limit} read views were in use until the wait deadline`,
    rpc: busy,
  }),
  /** The server reached a bound that all callers share. `reason` is only logged. */
  SERVER__BUSY: define<{ reason: string }>({
    family: "world",
    retryable: true,
    message: ({ reason }) => `The server is busy: ${reason}`,
    rpc: busy,
  }),
  /** The slots above the finalized one exceed a bound of the overlay. Finality is late, or the slots are very large. */
  CHAIN__FINALITY_STALLED: define<{
    finalizedSlot: number;
    slots: number;
    versions: number;
    bytes: number;
    assets: number;
    assetBytes: number;
  }>({
    family: "world",
    retryable: true,
    message: ({ finalizedSlot, slots, versions, bytes, assets, assetBytes }) =>
      `Too much data above finalized slot ${finalizedSlot}: ${slots} slots, ${versions} account versions (${bytes} bytes), ${assets} derived assets (${assetBytes} bytes). Only finalized reads work until that slot advances`,
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
  /** The database server of a store. It may be back a moment later. */
  STORE__UNREACHABLE: define<{ store: string; reason: string }>({
    family: "world",
    retryable: true,
    message: ({ store, reason }) =>
      `${store} cannot be reached: ${reason}; check that the server runs and that host, port and password are right`,
    rpc: { code: -32603, message: () => "Internal error: the store cannot be reached", httpStatus: 503 },
  }),
  // ---- stores ---------------------------------------------------------------------------------------------
  STORE__SCHEMA_TOO_NEW: define<{ found: number; known: number; store: string }>({
    family: "caller",
    retryable: false,
    message: ({ found, known, store }) =>
      `${store} has schema ${found}, this version knows up to ${known}: use a newer Lamplight, or load again into a new store`,
  }),
  /** Its rows were derived by the rules of another version. */
  STORE__OTHER_FORMAT: define<{ found: number; known: number; store: string }>({
    family: "caller",
    retryable: false,
    message: ({ found, known, store }) =>
      `${store} holds rows of format ${found}, this version uses format ${known}: ${found > known ? "use a newer Lamplight, or " : ""}load again, into a new file or an empty schema`,
  }),
  STORE__NOT_A_STORE: define<{ store: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ store, reason }) =>
      `${store} is not a Lamplight store: ${reason}; name another store, or a new one`,
  }),
  STORE__LOCKED: define<{ store: string }>({
    family: "caller",
    retryable: true,
    message: ({ store }) =>
      `${store} is being written by another process; wait until that one ends, or stop it`,
  }),
  /** `migrate --distributed` on a server without the Citus extension. */
  STORE__NO_CITUS: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `The database of ${store} has no Citus extension. Run CREATE EXTENSION citus on every node, then try again`,
  }),
  /** Each database of a distributed store takes its own snapshot. */
  STORE__MIXES_SLOTS: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} is distributed over several databases, where an answer can mix two slots. Use one PostgreSQL, or accept that with --accept-mixed-slots`,
  }),
  STORE__READ_ONLY: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} cannot be written: the file or its folder is read-only; change its permissions, or name another store`,
  }),
  /** A read-only store file with an unmerged WAL in a read-only folder. */
  STORE__LOG_LEFT: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} has an unmerged WAL (${store}-wal) in a read-only folder. Run lamplight migrate where the folder is writable, or serve a copy made by lamplight backup`,
  }),
  STORE__MISSING: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} does not exist; correct --store, or create it with lamplight load accounts, load snapshot or follow rpc`,
  }),
  STORE__NOT_EMPTY: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} already holds accounts or assets; a bulk load needs a new or empty store: name another one`,
  }),
  STORE__EXISTS: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) => `${store} already exists and is not overwritten; name another one, or remove it`,
  }),
  /** A bulk load or a copy was interrupted. */
  STORE__UNFINISHED: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} is incomplete: a load or copy was interrupted. Run it again; it starts from scratch`,
  }),
  /** `nearest` is the URL that was probably meant. */
  STORE__URL: define<{ url: string; nearest?: string }>({
    family: "caller",
    retryable: false,
    message: ({ url, nearest }) =>
      `invalid store ${JSON.stringify(url)}; use sqlite:FILE or postgres://HOST/DATABASE${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
  }),
  STORE__FULL: define<{ store: string }>({
    family: "world",
    retryable: true,
    message: ({ store }) =>
      `no space left on the disk of ${store}; the last batch was not written. Free some space and try again`,
  }),
  /** The database was restored to an earlier slot, or replaced by a replica that lagged, while a writer was running. */
  STORE__WENT_BACK: define<{ store: string; slot: number | null }>({
    family: "world",
    retryable: false,
    message: ({ store, slot }) =>
      `${store} was restored to slot ${slot ?? "none"}, older than data already committed; restart this process to continue from there`,
  }),
  /** The path of a store file names another file, or none, while a process has the old one open. */
  STORE__REPLACED: define<{ store: string }>({
    family: "world",
    retryable: false,
    message: ({ store }) =>
      `${store} was replaced or deleted while it was open; restart this process to use the file that is there now`,
    rpc: {
      code: -32067,
      message: () => "The store file was replaced or deleted; the server must be restarted",
      httpStatus: 503,
    },
  }),
  STORE__CORRUPT: define<{ store: string; reason: string }>({
    family: "world",
    retryable: false,
    message: ({ store, reason }) => `${store} is damaged: ${reason}; restore a backup, or load it again`,
    rpc: { code: -32603, message: () => "Internal error: the store is damaged" },
  }),
  // ---- codecs ---------------------------------------------------------------------------------------------
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
  // ---- sources --------------------------------------------------------------------------------------------
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
  // ---- command line and configuration ---------------------------------------------------------------------
  CONFIG__INVALID: define<{ file: string; field: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ file, field, reason }) => `${file}: ${field} ${reason}`,
  }),
  CLI__USAGE: define<{ reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ reason }) => reason,
  }),
  /** `portSettings` names the flag and the environment variable that choose another port. */
  SERVER__PORT_IN_USE: define<{ host: string; port: number; portSettings: string }>({
    family: "caller",
    retryable: false,
    message: ({ host, port, portSettings }) =>
      `${host}:${port} is in use; choose another with ${portSettings} (0 picks a free one)`,
  }),
  SERVER__CANNOT_LISTEN: define<{ host: string; port: number; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ host, port, reason }) => `cannot listen on ${host}:${port}: ${reason}`,
  }),
  // ---- us -------------------------------------------------------------------------------------------------
  INTERNAL: define<{ id: string }>({
    family: "us",
    retryable: false,
    message: ({ id }) => `internal error ${id}`,
    rpc: { code: -32603, message: () => "Internal error", data: ({ id }) => ({ id }) },
  }),
};

export type ErrorCode = keyof typeof errorCodes;
export type ErrorContext<Code extends ErrorCode> =
  (typeof errorCodes)[Code] extends ErrorDefinition<infer Context> ? Context : never;
