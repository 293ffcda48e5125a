import { LamplightError } from "@lamplight/errors";

/** Where a store lies: a server, a database, and the schema in it that holds the tables. */
export interface PostgresLocation {
  /** For the driver, password included: never logged. */
  readonly connectionString: string;
  readonly schema: string;
  /** For people: without user, password and parameters. */
  readonly name: string;
}

const defaultSchema = "lamplight";

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`; the schema is `lamplight` unless told otherwise,
 * other parameters (`sslmode`, …) go to the driver.
 *
 * @throws LamplightError `STORE__URL`
 */
export const parsePostgresUrl = (text: string): PostgresLocation => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const schema = url?.searchParams.get("schema") ?? defaultSchema;
  if (url === null || !/^postgres(?:ql)?:$/u.test(url.protocol) || !/^[a-z_][a-z0-9_]{0,62}$/u.test(schema)) {
    throw new LamplightError("STORE__URL", { url: withoutSecrets(text) });
  }
  url.searchParams.delete("schema");
  const database = url.pathname.slice(1);
  return {
    connectionString: url.href,
    schema,
    name: `postgres://${url.host}/${database}${schema === defaultSchema ? "" : `?schema=${schema}`}`,
  };
};

/** A URL may carry a password, also one that cannot be read. */
const withoutSecrets = (text: string): string => text.replace(/\/\/[^@/]*@/u, "//…@");
