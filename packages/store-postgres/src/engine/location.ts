import { LamplightError } from "@lamplight/errors";

/** The location of a store: a server, a database, and the schema in it that holds the tables. */
export interface PostgresLocation {
  /** The driver's connection string. It includes the password and is never logged. */
  readonly connectionString: string;
  readonly schema: string;
  /** Whether a distributed store may be served and followed, although its views can mix slots. */
  readonly acceptsMixedSlots: boolean;
  /** Name for messages, without user, password and parameters. */
  readonly name: string;
}

const defaultSchema = "lamplight";

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`; the schema is `lamplight` by default.
 * `accept_mixed_slots=on` accepts a distributed store. Other parameters (`sslmode`, …) go to the driver.
 *
 * @throws LamplightError `STORE__URL`
 */
export const parsePostgresUrl = (text: string): PostgresLocation => {
  const url = viewSource(text);
  const schema = url?.searchParams.get("schema") ?? defaultSchema;
  if (url === null || !/^postgres(?:ql)?:$/u.test(url.protocol) || !/^[a-z_][a-z0-9_]{0,62}$/u.test(schema)) {
    throw new LamplightError("STORE__URL", { url: withoutSecrets(text) });
  }
  const acceptsMixedSlots = url.searchParams.get("accept_mixed_slots") === "on";
  url.searchParams.delete("schema");
  url.searchParams.delete("accept_mixed_slots");
  const database = url.pathname.slice(1);
  return {
    connectionString: url.href,
    schema,
    acceptsMixedSlots,
    name: `postgres://${url.host}/${database}${schema === defaultSchema ? "" : `?schema=${schema}`}`,
  };
};

/** Null also where an unescaped character of a password changed the meaning of the URL. */
const viewSource = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url === null || url.pathname.includes("@") ? null : url;
};

/** A URL may contain a password before its host or in its parameters, even if it is invalid. */
const withoutSecrets = (text: string): string => {
  const url = viewSource(text);
  if (url === null || url.host === "") return text.replace(/^(\w{1,12}:)?.*$/su, "$1…");
  const schema = url.searchParams.get("schema");
  return `${url.protocol}//${url.host}${url.pathname}${schema === null ? "" : `?schema=${schema}`}`;
};
