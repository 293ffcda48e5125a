// The registry: every error Lamplight can produce, each with a stable name, the values a person needs, and,
// where a caller may see it, its JSON-RPC code and message. Names are never renamed or reused.

/** Who has to act: the caller corrects, the world recovers, we repair. */
export type ErrorFamily = "caller" | "world" | "us";

/** What a caller sees. `data` picks the context members that may leave the house. */
export interface RpcFace<Context> {
  readonly code: number;
  readonly message: (context: Context) => string;
  readonly data?: (context: Context) => unknown;
  /** Set for refusals that come before the call; errors of a call travel on HTTP 200. */
  readonly httpStatus?: number;
  /**
   * Code for the four account methods, whose clients break on codes they do not know.
   * `data.reason` then carries the name.
   */
  readonly accountMethodCode?: -32600 | -32602;
}

export interface ErrorDefinition<Context> {
  readonly family: ErrorFamily;
  readonly retryable: boolean;
  /** For logs and the command line: one clear sentence. */
  readonly message: (context: Context) => string;
  readonly rpc?: RpcFace<Context>;
}

const define = <Context>(definition: ErrorDefinition<Context>): ErrorDefinition<Context> => definition;

/** What quotes a foreign file may quote line breaks and whatever else steers a terminal. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ");

/** A refusal whose logged sentence is also what the caller reads. */
const caller = <Context>(
  code: number,
  message: (context: Context) => string,
  more: Omit<RpcFace<Context>, "code" | "message"> = {},
): ErrorDefinition<Context> => ({
  family: "caller",
  retryable: false,
  message,
  rpc: { code, message, ...more },
});

/** Words that Agave's clients match on; see `Invalid param: …` in the contract. */
export type AddressFault = "Invalid" | "WrongSize";

export const errorCodes = {
  // ---- requests -------------------------------------------------------------------------------------------
  REQUEST__PARSE: caller<object>(-32700, () => "Parse error"),
  REQUEST__INVALID: caller<{ reason: string }>(-32600, () => "Invalid request", {
    data: ({ reason }) => ({ reason }),
  }),
  REQUEST__METHOD_NOT_FOUND: caller<{ method: string; nearest?: string }>(-32601, () => "Method not found", {
    data: ({ method, nearest }) => ({
      method: method.slice(0, 64),
      ...(nearest === undefined ? {} : { nearest }),
    }),
  }),
  REQUEST__KEY_UNKNOWN: caller<object>(-32060, () => "API key missing or unknown", { httpStatus: 401 }),
  REQUEST__KEY_NOT_ALLOWED: caller<object>(-32061, () => "API key not allowed here", { httpStatus: 403 }),
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
    ({ answered }) => `Only ${answered} is answered here`,
    { httpStatus: 405 },
  ),
  REQUEST__NOT_FOUND: caller<object>(-32600, () => "No such path; calls go to POST /v3/<API_KEY>", {
    httpStatus: 404,
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
  /** `parameter` and `position` (1-based, null by name) say where; `reason` says what; `hint` names the nearest valid alternative. */
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
  /** The address of one of the four account methods; text as Agave writes it. */
  PARAM__ADDRESS: caller<{ parameter: string; fault: AddressFault }>(
    -32602,
    ({ fault }) => `Invalid param: ${fault}`,
    { data: ({ parameter }) => ({ parameter }) },
  ),
  PARAM__NOT_SUPPORTED_YET: caller<{ parameter: string }>(
    -32602,
    ({ parameter }) => `Invalid params: ${parameter} is not answered by this version`,
    { data: ({ parameter }) => ({ parameter }) },
  ),
  // ---- account methods: Agave's words ---------------------------------------------------------------------
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
    message: ({ limit }) => `All ${limit} read views stayed in use past the queue's deadline`,
    rpc: { code: -32603, message: () => "Internal error: the store is busy", httpStatus: 503 },
  }),
  /** More slots, account versions or bytes above the root than the bound: it has not moved for too long. */
  CHAIN__ROOTING_STALLED: define<{ rootedSlot: number; slots: number; versions: number; bytes: number }>({
    family: "world",
    retryable: true,
    message: ({ rootedSlot, slots, versions, bytes }) =>
      `No slot was rooted after ${rootedSlot} for too long: ${slots} slots with ${versions} account versions (${bytes} bytes) wait; only finalized reads are answered`,
    rpc: {
      code: -32067,
      message: () => "Rooting has stalled; commitment finalized is answered",
      httpStatus: 503,
    },
  }),
  /** A slot arrived whose parent is not known. */
  CHAIN__PARENT_UNKNOWN: define<{ slot: number; parent: number; rootedSlot: number }>({
    family: "world",
    retryable: true,
    message: ({ slot, parent, rootedSlot }) =>
      `Slot ${slot} has parent ${parent}, which is neither known nor the rooted slot ${rootedSlot}`,
  }),
  /** A server that keeps the store; it may be back a moment later. */
  STORE__UNREACHABLE: define<{ store: string; reason: string }>({
    family: "world",
    retryable: true,
    message: ({ store, reason }) => `${store} cannot be reached: ${reason}`,
    rpc: { code: -32603, message: () => "Internal error: the store cannot be reached", httpStatus: 503 },
  }),
  // ---- stores ---------------------------------------------------------------------------------------------
  STORE__SCHEMA_TOO_NEW: define<{ found: number; known: number; store: string }>({
    family: "caller",
    retryable: false,
    message: ({ found, known, store }) =>
      `${store} has schema ${found}, this version knows up to ${known}: use a newer Lamplight`,
  }),
  STORE__NOT_A_STORE: define<{ store: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ store, reason }) => `${store} is not a Lamplight store: ${reason}`,
  }),
  STORE__LOCKED: define<{ store: string }>({
    family: "caller",
    retryable: true,
    message: ({ store }) => `${store} is being written by another process`,
  }),
  /** Spreading a store over nodes is asked of a server that cannot. */
  STORE__NO_CITUS: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} lies in a database without Citus; run CREATE EXTENSION citus there (on every node), then try again`,
  }),
  STORE__READ_ONLY: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) => `${store} cannot be written: the file or its folder is read-only`,
  }),
  /** Of a file that can only be read, in a folder where nothing can be written. */
  STORE__LOG_LEFT: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} has a log beside it that is not taken in, and its folder cannot be written; open it once where it can be (lamplight migrate), or serve a copy made by lamplight backup`,
  }),
  STORE__MISSING: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) => `${store} does not exist`,
  }),
  STORE__NOT_EMPTY: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} already holds accounts or assets; a bulk load wants a new or empty store`,
  }),
  STORE__EXISTS: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) => `${store} is there already; nothing is overwritten`,
  }),
  /** A bulk load or a copy was stopped before it was whole. */
  STORE__UNFINISHED: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) => `${store} was left half loaded: run that load or copy again, which begins anew`,
  }),
  STORE__URL: define<{ url: string }>({
    family: "caller",
    retryable: false,
    message: ({ url }) =>
      `store ${JSON.stringify(url)} is not understood; use sqlite:FILE or postgres://HOST/DATABASE`,
  }),
  STORE__FULL: define<{ store: string }>({
    family: "world",
    retryable: true,
    message: ({ store }) => `no space left on the disk of ${store}; nothing of the last batch was written`,
  }),
  /** A server that was put back, or replaced by one that had not received everything, under a running writer. */
  STORE__WENT_BACK: define<{ store: string; slot: number | null }>({
    family: "world",
    retryable: false,
    message: ({ store, slot }) =>
      `${store} stands at slot ${slot ?? "none"}, before what it had kept: start this process anew, and it goes on from there`,
  }),
  STORE__CORRUPT: define<{ store: string; reason: string }>({
    family: "world",
    retryable: false,
    message: ({ store, reason }) => `${store} is damaged: ${reason}`,
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
  /** A message of a live source that is not what its protocol says. */
  SOURCE__BAD_MESSAGE: define<{ reason: string }>({
    family: "world",
    retryable: true,
    message: ({ reason }) => `The source sent a message that ${reason}`,
  }),
  /** The operator's settings do not fit the source: nothing gets better by trying again. */
  SOURCE__REFUSED: define<{ url: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ url, reason }) => `${url} refuses us: ${reason}`,
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
  /** An archive that is not read at all: another kind of file, a version nobody here knows, archives that do not belong together. */
  SOURCE__SNAPSHOT_REFUSED: define<{ archive: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ archive, reason }) => `${archive} is refused: ${reason}`,
  }),
  /** `entry` and `offset` say where, as far as it is known; offsets count within the entry. */
  SOURCE__SNAPSHOT_DAMAGED: define<{ archive: string; reason: string; entry?: string; offset?: number }>({
    family: "world",
    retryable: false,
    message: ({ archive, reason, entry, offset }) =>
      `${archive} is damaged${entry === undefined ? "" : ` in ${entry}`}${offset === undefined ? "" : ` at byte ${offset}`}: ${reason}`,
  }),
  /** What was read is not what the archive says of itself. */
  SOURCE__SNAPSHOT_MISMATCH: define<{ archive: string; what: string; expected: string; found: string }>({
    family: "world",
    retryable: false,
    message: ({ archive, what, expected, found }) =>
      `${archive} is not proved: its ${what} is ${expected}, its accounts give ${found}`,
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
  SERVER__PORT_IN_USE: define<{ host: string; port: number }>({
    family: "caller",
    retryable: false,
    message: ({ host, port }) => `${host}:${port} is in use; choose another with --port`,
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
