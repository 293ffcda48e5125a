import type { EventEmitter } from "node:events";

// Members of the driver that its types leave out.
declare module "pg" {
  interface Connection {
    /** Makes an event of every message that comes along the stream. */
    attachListeners(stream: EventEmitter): void;
    /** @param values - buffers are sent in binary, others as text */
    bind(config: {
      readonly statement: string | undefined;
      readonly values: readonly (Buffer | string | null)[] | undefined;
      readonly binary: boolean | undefined;
    }): void;
    execute(config: null): void;
  }

  interface Client {
    readonly connection: Connection;
  }

  interface Query {
    name: string | undefined;
    values: readonly (Buffer | string | null)[] | undefined;
    /** Whether fields come in binary. */
    binary: boolean | undefined;
    /** `extended`: also where nothing is bound. */
    queryMode: "extended" | undefined;
    query_timeout?: number;
    callback: ((error: unknown) => void) | undefined;
    /** Sends the messages of a statement with values. */
    prepare(connection: Connection): void;
    handleRowDescription(message: object): void;
    handleDataRow(message: object): void;
    handleCommandComplete(message: object): void;
    handleReadyForQuery(): void;
  }
}
