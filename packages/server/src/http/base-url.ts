import type { IncomingMessage } from "node:http";

import { addressedOrigin } from "./request-head.ts";

/** The form of a host that we repeat: a name or an address, and a port. */
const hostPattern = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/u;

/**
 * Scheme, host and port as a caller sees them: the configured `publicUrl` (behind a proxy nothing else is right), else
 * the host that the caller addressed, else where we listen.
 */
export const createBaseUrl =
  (publicUrl: string | null, listening: () => string) =>
  (request: IncomingMessage): string => {
    if (publicUrl !== null) return publicUrl.replace(/\/+$/u, "");
    const { scheme, host } = addressedOrigin(request);
    return hostPattern.test(host) ? `${scheme}://${host}` : listening();
  };
