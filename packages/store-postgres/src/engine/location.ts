import { LamplightError } from "@lamplight/errors";
import { nameOfPostgresUrl, readPostgresUrl, urlOfServer } from "./postgres-url.ts";

/** Which servers of a URL are read, as libpq defines it. */
export const serverTargets = [
  "any",
  "read-write",
  "read-only",
  "primary",
  "standby",
  "prefer-standby",
] as const;
export type ServerTarget = (typeof serverTargets)[number];

/** The location of a store: a server, a database, and the schema in it that holds the tables. */
export interface PostgresLocation {
  /** The driver's connection string. It includes the password and is never logged. */
  readonly connectionString: string;
  readonly schema: string;
  /** Whether a writer updates an older schema by itself. */
  readonly autoMigrates: boolean;
  /** Name for messages, without user, password and parameters. */
  readonly name: string;
  /** Null for a location of one server, which is used in any role. */
  readonly choice: ServerChoice | null;
}

/** The servers among which each session chooses. */
export interface ServerChoice {
  readonly servers: readonly PostgresLocation[];
  /** The servers that are read. A writer always connects to one that accepts writes. */
  readonly target: ServerTarget;
  /** Whether readers try the servers in random order. */
  readonly isRandom: boolean;
}

const defaultSchema = "lamplight";
/** Parameters of ours and of libpq that the driver does not know. */
const ownParameters = ["schema", "target_session_attrs", "load_balance_hosts", "auto_migrate"];

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?schema=NAME`; the schema is `lamplight` by default.
 * `auto_migrate=on` lets a writer update an older schema. `target_session_attrs` and `load_balance_hosts` are libpq's;
 * for several hosts their defaults here are `prefer-standby` and `random`. Other parameters (`sslmode`, …) go to the
 * driver.
 *
 * @throws LamplightError `STORE__URL`
 */
export const parsePostgresUrl = (text: string): PostgresLocation => {
  const url = readPostgresUrl(text);
  const { searchParams } = url?.first ?? { searchParams: new URLSearchParams() };
  const [schema, target, balance, auto] = ownParameters.map((name) => searchParams.get(name) ?? undefined);
  const isValid =
    /^[a-z_][a-z0-9_]{0,62}$/u.test(schema ?? defaultSchema) &&
    (target === undefined || serverTargets.some((one) => one === target)) &&
    (balance === undefined || balance === "random" || balance === "disable");
  if (url === null || !isValid) throw new LamplightError("STORE__URL", { url: withoutSecrets(text) });
  for (const name of ownParameters) searchParams.delete(name);
  const locationOf = (servers: readonly string[]): PostgresLocation => ({
    connectionString: urlOfServer(url, servers[0]!),
    schema: schema ?? defaultSchema,
    autoMigrates: auto === "on",
    name: nameOfPostgresUrl({ ...url, servers }, schema === defaultSchema ? null : (schema ?? null)),
    choice: null,
  });
  const whole = locationOf(url.servers);
  if (url.servers.length === 1 && target === undefined) return whole;
  return {
    ...whole,
    choice: {
      servers: url.servers.map((server) => locationOf([server])),
      target: (target ?? "prefer-standby") as ServerTarget,
      isRandom: balance !== "disable",
    },
  };
};

/** A URL may contain a password before its host or in its parameters, even if it is invalid. */
const withoutSecrets = (text: string): string => {
  const url = readPostgresUrl(text);
  if (url === null || url.first.host === "") return text.replace(/^(\w{1,12}:)?.*$/su, "$1…");
  return nameOfPostgresUrl(url, url.first.searchParams.get("schema"));
};
