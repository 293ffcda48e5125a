import { choosePort, DEFAULT_PORT, parseFlags, resolvePort } from "@lamplight/server/command";

const DEMO_HOST = "127.0.0.1";

export const demoUsage = `[--host HOST] [--port PORT]

  --host    address to listen on (${DEMO_HOST}); or LAMPLIGHT_HOST
  --port    port to listen on (${DEFAULT_PORT}, or the next free one); or LAMPLIGHT_PORT. 0 picks any free one

Serves a small generated chain from a store of its own, which is deleted when the command ends.

Example:
  lamplight demo --port 8000`;

/** Where `demo` listens. */
export interface DemoAddress {
  readonly host: string;
  readonly port: number;
}

const flags = { host: { type: "string" }, port: { type: "string" } } as const;

/**
 * Reads the flags and finds a free port.
 *
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`, `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const chooseDemoAddress = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<DemoAddress> => {
  const given = parseFlags(args, flags);
  const host = given.host ?? (environment["LAMPLIGHT_HOST"] || DEMO_HOST);
  const asked = resolvePort(given.port, environment["LAMPLIGHT_PORT"] || undefined) ?? null;
  return { host, port: await choosePort(host, asked) };
};
