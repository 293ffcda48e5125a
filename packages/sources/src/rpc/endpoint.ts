import { isLamplightError, LamplightError } from "@lamplight/errors";

/** The address of a node, with a name that contains none of the secrets in its URL. */
export interface RpcEndpoint {
  /** The URL, without userinfo. */
  readonly url: URL;
  /** Value of the Authorization header, from userinfo; null = none. */
  readonly authorization: string | null;
  /** Scheme and host only: keys live in userinfo, path and query. */
  readonly name: string;
  /** Removes every secret from a foreign text. */
  readonly redact: (text: string) => string;
}

/**
 * Does work that asks a node. A failure without a code of its own becomes one that names the node, without its secrets.
 *
 * @throws LamplightError `SOURCE__DOWNLOAD`, and those of `work`
 */
export const asked = async <Result>(
  { name, redact: redacted }: RpcEndpoint,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    if (isLamplightError(cause)) throw cause;
    const reason = redacted(cause instanceof Error ? cause.message : String(cause));
    throw new LamplightError("SOURCE__DOWNLOAD", { url: name, reason }, { cause });
  }
};

const SECRET_CHARACTERS_MIN = 4;

/**
 * @param schemes - allowed ones, with colon
 * @throws LamplightError `CLI__USAGE`
 */
export const parseEndpoint = (text: string, schemes: readonly string[]): RpcEndpoint => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !schemes.includes(url.protocol) || url.hostname === "") {
    throw new LamplightError("CLI__USAGE", { reason: `the URL of the node ${faultOf(text, schemes)}` });
  }
  const secrets = secretsOf(text, url);
  const { username, password } = url;
  const authorization =
    username === "" && password === ""
      ? null
      : `Basic ${Buffer.from(`${decodeLoosely(username)}:${decodeLoosely(password)}`).toString("base64")}`;
  url.username = "";
  url.password = "";
  url.hash = "";
  const name = `${url.protocol}//${url.host}`;
  return { url, authorization, name, redact: (said) => redact(said, secrets) };
};

/** An invalid URL may contain a key too, so it is not quoted. */
const faultOf = (text: string, schemes: readonly string[]): string => {
  const starts = schemes.map((scheme) => `${scheme}//`);
  const start = starts.find((one) => text.toLowerCase().startsWith(one));
  return start === undefined
    ? `must begin with ${starts.join(" or ")}`
    : `must have a host after ${start}; a port must be a number up to 65535`;
};

/**
 * The WebSocket of an HTTP endpoint: the next port where a port is given, as nodes use it; otherwise the same host.
 */
export const socketEndpointOf = (httpText: string): string => {
  const url = new URL(httpText);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (url.port !== "") url.port = String(Number(url.port) + 1);
  return url.href;
};

const secretsOf = (text: string, url: URL): readonly string[] => {
  const query = [...url.searchParams].flat();
  const parts = [text, url.href, url.pathname, url.search, ...url.pathname.split("/"), ...query];
  const users = [url.username, url.password];
  const plain = [...parts, ...users].flatMap((part) => [part, decodeLoosely(part)]);
  return [...new Set(plain)]
    .filter((part) => part.length >= SECRET_CHARACTERS_MIN)
    .toSorted((a, b) => b.length - a.length);
};

const decodeLoosely = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const redact = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((said, secret) => said.replaceAll(secret, "…"), text);
