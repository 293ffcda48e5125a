import type { ServeOptions } from "./harness/serve.ts";

export interface Against {
  /** The other checkout, which has been set up. */
  readonly checkout: string;
  readonly rounds: number;
}

/** Work for two servers over one store. */
export interface ServedWork {
  /** URL of the store as `serve --store` takes it. */
  readonly store: string;
  /** Request bodies by what they measure. */
  readonly work: ReadonlyMap<string, readonly string[]>;
  readonly connections: number;
  readonly options?: ServeOptions;
  /** Processor time of the database so far. */
  databaseSeconds?(): number | Promise<number>;
  close?(): Promise<void>;
}
