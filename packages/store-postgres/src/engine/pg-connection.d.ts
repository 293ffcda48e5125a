import type { EventEmitter } from "node:events";

// Members of the driver that its types leave out.
declare module "pg" {
  interface Connection {
    /** Makes an event of every message that comes along the stream. */
    attachListeners(stream: EventEmitter): void;
  }

  interface Client {
    readonly connection: Connection;
  }

  interface QueryConfig {
    /** Whether fields come in binary. */
    binary?: boolean;
    /** `extended`: also where nothing is bound. */
    queryMode?: "extended";
  }
}
