import type {
  BulkLoad,
  DocumentStore,
  IndexStore,
  NewestAnswered,
  StoreExport,
  StoreImport,
  UnfinalizedReader,
  ViewSource,
  Watermark,
} from "@lamplight/core";

/** The use that a process makes of a store: only read it, update one that exists, or create it where it is missing. */
export type StoreUse = "read" | "update" | "create";

/** One of several servers that hold the same store, or one of its shards, for readiness. */
export interface ServerState {
  /** `HOST:PORT`; of a shard its URL without user and password. */
  readonly server: string;
  readonly role: "primary" | "standby" | null;
  /** Its newest finalized slot. */
  readonly slot: number | null;
  readonly state: string;
}

/** A store opened for reading. */
export interface OpenedReader extends ViewSource {
  /** The servers or shards that the URL names, where it names several. */
  servers(): readonly ServerState[];
  /** Path of the file that keeps its search index between runs. */
  readonly searchFile: string;
  /** Slots that a writer in another process publishes above the finalized one; null = this kind of store has none. */
  readonly unfinalized: UnfinalizedReader | null;
  /** Whether it is a file in a folder that cannot be written, so that no other process can change it. */
  readonly isImmutable: boolean;
  close(): void;
}

export interface ReaderOptions {
  /** Lets a statement take as long as it needs, for checks. */
  readonly patient?: boolean;
  /** Folder for the search index of a store that is no file. */
  readonly searchCache?: string | undefined;
  /** Views that may be open at once. */
  readonly viewsMax: number;
  /** Connections that stay open while no view uses them, where they cost their server something. */
  readonly viewsIdle: number;
  /** Whether views must have each commit of a writer in this process: they then come from the server that it writes. */
  readonly withWriter?: boolean;
  /** A reader of several servers reads none that is behind this. */
  readonly answered?: NewestAnswered;
  /** Called with `HOST:PORT` when another one of several servers is read. */
  readonly onServer?: (server: string) => void;
}

/** One step of a migration, before it is made. */
export interface PlannedStep {
  readonly version: number;
  readonly name: string;
  /** Tables that no other process can use while it runs, each with its bytes; null = the whole store. */
  readonly locks: readonly { readonly table: string; readonly bytes: number }[] | null;
}

export interface MigrationPlan {
  /** Null where there is no store yet. */
  readonly steps: readonly PlannedStep[] | null;
  /** Size of the whole store. */
  readonly bytes: number;
}

export interface WriterOptions {
  /** Make it when there is none, instead of refusing with `STORE__MISSING`. */
  readonly create: boolean;
  /** Update an older schema, also where others use its database? Default: as the URL says. */
  readonly migrates?: boolean;
  /** Whether the writer follows a chain: no commit may wait for upkeep. Default no. */
  readonly follows?: boolean;
  /** Called with a message when upkeep fails. */
  readonly onProblem?: (line: string) => void;
}

export interface LoadOptions {
  /** Folder in which the temporary files lie, for a store that is no file. Default: the current folder. */
  readonly workFolder?: string;
  /** Index fungible holdings? Default yes. */
  readonly holdings?: boolean;
  /** The draft of a store file refuses to grow past this (`STORE__FULL`). */
  readonly fileBytesMax?: number;
}

export interface BackupOptions {
  /** File to create. */
  readonly to: string;
  /** @param share - 0 to 1 */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Calls of an API key, of one method, in one hour since 1970 in UTC. */
export interface KeyUse {
  readonly hour: number;
  readonly key: string;
  readonly method: string;
  readonly requests: number;
  readonly units: number;
}

/** API keys and their calls in a database that several nodes share. */
export interface KeyTables {
  /** All records as JSON texts; null where the version is still `known`. `STORE__MISSING` where no key was made yet. */
  read(
    known: number | null,
  ): Promise<{ readonly version: number; readonly records: readonly string[] } | null>;
  /** Changes the records, and writes a line of the audit, in one transaction. */
  change(
    edit: (records: readonly string[]) => { readonly records: readonly string[]; readonly audit: string },
  ): Promise<void>;
  addUse(rows: readonly KeyUse[]): Promise<void>;
  /** @param day - days since 1970 in UTC */
  listDay(day: number): Promise<readonly (readonly [key: string, requests: number, units: number])[]>;
  listUse(fromHour: number, toHour: number): Promise<readonly KeyUse[]>;
  prune(beforeHour: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * One kind of store. Everything that a process does with a store by its URL goes through here, so another kind is one
 * more engine in `engines.ts`. Each function takes a URL of one of its schemes.
 *
 * @throws LamplightError `STORE__URL` and of the STORE family, from every function that opens something
 */
export interface StoreEngine {
  /** Name of the kind in texts. */
  readonly name: string;
  /** Schemes of its URLs, without the colon. */
  readonly schemes: readonly string[];
  /** Whether its writer publishes slots above the finalized one to readers in other processes. */
  readonly sharesUnfinalized: boolean;
  /** The file that is the store; null where the store is no file. */
  fileOf(url: string): string | null;
  /** The URL for logs and pages: without user, password and parameters, which may contain one. It never throws. */
  nameOf(url: string): string;
  /** The URL with the caller's permission to update an older schema, also where others use its database. It never throws. */
  autoMigrate(url: string): string;
  /** Whether a writer can derive all assets again, next to those that answer. */
  readonly keepsNextSet: boolean;
  /** The steps that would update the schema, in their order. Changes nothing. */
  planMigration(url: string): Promise<MigrationPlan>;
  /** The URL of another store in the same place, with a name that has letters, digits and `_` only. */
  sibling(url: string, name: string): string;
  /** Fails where a writer could not use the store, as far as a read of the URL and the file shows it. */
  assertWritable(url: string, use: Exclude<StoreUse, "read">): Promise<void>;
  openReader(url: string, options: ReaderOptions): Promise<OpenedReader>;
  openWriter(url: string, options: WriterOptions): Promise<IndexStore>;
  /** The documents for their one writer, in parallel with the store's. */
  openDocuments(url: string): Promise<DocumentStore>;
  /**
   * Changes what is asked for of the coverage (`IndexStore.coverageRequests`), next to the process that writes the store;
   * a text says how else it is done.
   *
   * @param edit - gets the request that waits, as JSON; null = none. What it returns replaces it; null = it is removed
   */
  readonly requestCoverage:
    | ((url: string, edit: (known: string | null) => string | null) => Promise<void>)
    | string;
  /** Reads the change of the coverage that waits for the follower, as JSON; null = none. It writes nothing. */
  readCoverageRequest(url: string): Promise<string | null>;
  openBulkLoad(url: string, options: LoadOptions): Promise<BulkLoad>;
  /** The two ends of a copy. */
  readonly openCopy: {
    from(url: string): Promise<StoreExport>;
    /** @param holdings - whether fungible holdings are indexed in the other store */
    to(url: string, holdings: boolean): Promise<StoreImport>;
  };
  /** Deletes the store with all that belongs to it. */
  drop(url: string): Promise<void>;
  /** Copies a store that is served and written into a file, and answers its slot; a text says how else it is done. */
  readonly backup: ((url: string, options: BackupOptions) => Promise<Watermark | null>) | string;
  /** Opens tables for API keys in the database of a URL, in a schema of their own; null where a store is no database that nodes share. */
  readonly openKeyTables: ((url: string) => Promise<KeyTables>) | null;
}
