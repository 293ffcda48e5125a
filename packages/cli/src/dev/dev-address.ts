import { choosePort, DEFAULT_PORT, resolvePort } from "@lamplight/server/command";

const devHost = "127.0.0.1";

/** The options of an address, in `--help`. */
export const addressUsage = `  --host     address to listen on (${devHost}); or LAMPLIGHT_HOST
  --port     port to listen on (${DEFAULT_PORT}, or the next free one); or LAMPLIGHT_PORT. 0 picks any free one`;

/** The address on which `demo` and `dev` listen. */
export interface DevAddress {
  readonly host: string;
  readonly port: number;
}

/** Options for `parseArgs`. */
export const addressOptions = { host: { type: "string" }, port: { type: "string" } } as const;

/** Option values as `parseArgs` gives them. */
export interface AddressValues {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
}

/**
 * Finds a free port.
 *
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`, `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const chooseDevAddress = async (
  given: AddressValues,
  environment: NodeJS.ProcessEnv,
): Promise<DevAddress> => {
  const host = given.host ?? (environment["LAMPLIGHT_HOST"] || devHost);
  const asked = resolvePort(given.port, environment["LAMPLIGHT_PORT"] || undefined) ?? null;
  return { host, port: await choosePort(host, asked) };
};
