import { LamplightError } from "@lamplight/errors";
import { parseEndpoint } from "../rpc/endpoint.ts";

/** The address at which a Yellowstone server listens. */
export interface ServerAddress {
  /** Scheme, host and port, without secrets. */
  readonly name: string;
  /** `HOST:PORT`. */
  readonly target: string;
  /** The connection has no TLS. */
  readonly isPlain: boolean;
}

/**
 * gRPC does not use userinfo, path or query. They probably contain a token, which would not be sent. So they are
 * refused, and never quoted.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const parseServerAddress = (text: string): ServerAddress => {
  const { url, authorization, name } = parseEndpoint(text, ["https:", "http:"]);
  if (authorization !== null || url.pathname !== "/" || url.search !== "") {
    throw new LamplightError("CLI__USAGE", {
      reason: `the URL of ${name} must end after host and port: a Yellowstone server takes a token, which has its own flag`,
    });
  }
  const isPlain = url.protocol === "http:";
  const port = url.port === "" ? (isPlain ? 80 : 443) : url.port;
  return { name, target: `${url.hostname}:${port}`, isPlain };
};
