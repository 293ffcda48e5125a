import { busy, caller, define } from "./definition.ts";

const otherRulesAdvice = (isNewer: boolean, keepsNextSet: boolean): string => {
  if (isNewer) return "use a newer Lamplight";
  if (keepsNextSet) return "run lamplight derive";
  return "it cannot derive them again, so load it again into a new store, or use the version that wrote it";
};

const fileIsReadOnly =
  "the file or its folder is read-only, or belongs to another user; change the permissions, or name another store";

/** Stores: missing, locked, damaged, not ready. */
export const storeCodes = {
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
  /** The database server of a store. It may be back a moment later. */
  STORE__UNREACHABLE: define<{ store: string; reason: string }>({
    family: "world",
    retryable: true,
    message: ({ store, reason }) =>
      `${store} cannot be reached: ${reason}; check that the server runs and that host, port and password are right`,
    rpc: { code: -32603, message: () => "Internal error: the store cannot be reached", httpStatus: 503 },
  }),
  /** A writer behind a pooler that gives each transaction another session. */
  STORE__POOLED: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} is behind a connection pooler in transaction mode, where a writer cannot keep its lock. Set pool_mode = session for this database in PgBouncer, or name PostgreSQL's own port; serve works in both modes`,
  }),
  STORE__SCHEMA_TOO_NEW: define<{ found: number; known: number; store: string }>({
    family: "caller",
    retryable: false,
    message: ({ found, known, store }) =>
      `${store} has schema ${found}, this version knows up to ${known}: use a newer Lamplight, or load again into a new store`,
  }),
  /** Its database belongs to others, too: its owner chooses when tables are locked. */
  STORE__NEEDS_MIGRATION: define<{ found: number; known: number; store: string }>({
    family: "caller",
    retryable: false,
    message: ({ found, known, store }) =>
      `${store} has schema ${found}, this version needs ${known}: run lamplight migrate (--dry-run shows the steps), or start the writer with --auto-migrate`,
  }),
  /** Its assets were derived by rules that this version can derive again, but not write. */
  STORE__OTHER_RULES: define<{ found: number; known: number; keepsNextSet: boolean }>({
    family: "caller",
    retryable: false,
    message: ({ found, known, keepsNextSet }) =>
      `The assets of the store were derived by rules ${found}, this version has rules ${known}: ${otherRulesAdvice(found > known, keepsNextSet)}`,
  }),
  /** Its rows are encoded, or read from accounts, by another version. */
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
  /** Another process has the lock of the one writer, for its whole life. */
  STORE__LOCKED: define<{ store: string }>({
    family: "caller",
    retryable: true,
    message: ({ store }) =>
      `${store} is being written by another process; wait until that one ends, or stop it`,
  }),
  /** A transaction of another process locks the store's file. The writer's lock of the store is not concerned. */
  STORE__FILE_LOCKED: define<{ store: string }>({
    family: "world",
    retryable: true,
    message: ({ store }) =>
      `Another process has been writing to ${store} for too long without a pause; wait until it pauses, or end it if it hangs`,
  }),
  /** Each database of a distributed store takes its own snapshot. */
  STORE__MIXES_SLOTS: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} is distributed over several databases, where an answer could mix two slots. Copy it into one PostgreSQL, or into several shards (shards://), with lamplight copy`,
  }),
  /** A database that was made as a shard of another store, or in another place. */
  STORE__OTHER_SHARD: define<{ store: string; place: number }>({
    family: "caller",
    retryable: false,
    message: ({ store, place }) =>
      `${store} is not shard ${place} of this store: name the shards in the order in which the store was created`,
  }),
  /** A kind of store that does not have this operation. */
  STORE__NO_SUCH_USE: define<{ store: string; use: string; instead: string }>({
    family: "caller",
    retryable: false,
    message: ({ store, use, instead }) => `${store} has several shards and cannot ${use}; ${instead}`,
  }),
  /** The rows of a newer slot were started before an answer over several shards was complete. */
  STORE__BASE_MOVED: define<{ slot: number }>({
    family: "world",
    retryable: true,
    message: ({ slot }) => `Rows of slot ${slot} were replaced while an answer was read`,
    rpc: busy,
  }),
  /** `reason`: what a database says, with what to do; absent for a file. */
  STORE__READ_ONLY: define<{ store: string; reason?: string }>({
    family: "caller",
    retryable: false,
    message: ({ store, reason = fileIsReadOnly }) => `access to ${store} is refused: ${reason}`,
  }),
  /** A read-only store file with an unmerged WAL in a read-only folder. */
  STORE__LOG_LEFT: define<{ store: string }>({
    family: "caller",
    retryable: false,
    message: ({ store }) =>
      `${store} has an unmerged WAL (${store}-wal) in a read-only folder. Run lamplight migrate where the folder is writable, or serve a copy made by lamplight backup`,
  }),
  /** `creator`: what creates it; absent for a store that a command creates. */
  STORE__MISSING: define<{ store: string; creator?: string }>({
    family: "caller",
    retryable: false,
    message: ({ store, creator = "lamplight load accounts, load snapshot or follow rpc" }) =>
      `${store} does not exist; correct its name, or create it with ${creator}`,
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
      `the disk of ${store} is full or refuses writes; the last batch was not written. Free some space and try again`,
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
};
