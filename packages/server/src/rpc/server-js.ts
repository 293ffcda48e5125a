// The only way to `@open-rpc/server-js`. `bundle-server-js.ts` replaces the built form of this file by a bundle, so that
// an installation does not bring the package's own transports and their dependencies. The types are stated here for the
// same reason: the published declarations must not name a package that is not installed.
import { Router as StockRouter } from "@open-rpc/server-js/build/router.js";
import { ServerTransport as StockTransport } from "@open-rpc/server-js/build/transports/server-transport.js";

/** The members of server-js's router that this package overrides. */
export interface RouterBase {
  isMethodImplemented(method: string): boolean;
  call(method: string, params: unknown): Promise<unknown>;
}

/** The members of server-js's transport that this package uses or overrides. */
export interface TransportBase {
  addRouter(router: RouterBase): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const Router = StockRouter as unknown as new (document: object, methods: object) => RouterBase;
export const ServerTransport = StockTransport as unknown as new () => TransportBase;
