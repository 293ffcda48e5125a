/** A URL of PostgreSQL that may name several servers: `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?…`. */
export interface PostgresUrl {
  /** The same URL with the first server alone. Its parameters may be changed. */
  readonly first: URL;
  /** `HOST` or `HOST:PORT`, in the order of the URL. */
  readonly servers: readonly string[];
}

const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/su;

/** Null where it is no such URL, also where an unescaped character of a password changed its meaning. */
export const readPostgresUrl = (text: string): PostgresUrl | null => {
  const [, scheme, authority, rest] = parts.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return null;
  const hostsAt = authority.lastIndexOf("@") + 1;
  const servers = authority.slice(hostsAt).split(",");
  const urls = servers.map((server) => `${scheme}${authority.slice(0, hostsAt)}${server}${rest}`);
  if (servers.length > 1 && servers.includes("")) return null;
  if (!urls.every((url) => URL.canParse(url))) return null;
  const first = new URL(urls[0]!);
  return first.pathname.includes("@") ? null : { first, servers };
};

/** The URL of one of its servers. */
export const urlOfServer = ({ first }: PostgresUrl, server: string): string => {
  const { protocol, username, password, pathname, search } = first;
  const user = password === "" ? username : `${username}:${password}`;
  return `${protocol}//${user === "" ? "" : `${user}@`}${server}${pathname}${search}`;
};

/** The whole URL again. */
export const writePostgresUrl = (url: PostgresUrl): string => urlOfServer(url, url.servers.join(","));

/** Name for messages and logs, without user, password and parameters; a schema is shown where `schema` is one. */
export const nameOfPostgresUrl = ({ first, servers }: PostgresUrl, schema: string | null): string =>
  `postgres://${servers.join(",")}${first.pathname}${schema === null ? "" : `?schema=${schema}`}`;
