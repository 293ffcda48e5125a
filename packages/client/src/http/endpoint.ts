/** The URL to which a client posts its calls. */
export interface Endpoint {
  /** Where calls are posted, key included. */
  readonly href: string;
  /** The same for messages, without the key. */
  readonly shown: string;
  /** Page of the server that explains errors. */
  readonly docs: string;
  /** Replaces the key in a text. */
  readonly redact: (text: string) => string;
}

const keyShown = "<key>";

/** The path in front of the key: of the main contract, or of the DAS methods. */
export type ContractPath = "v3" | "das";

/**
 * @param contract - used where `url` names none
 * @throws TypeError that says what is wrong with the options
 */
export const resolveEndpoint = (
  url: string | undefined,
  apiKey: string | undefined,
  contract: ContractPath = "v3",
): Endpoint => {
  if (!url || !isAddress(url))
    throw new TypeError(
      `createClient needs an http address as url, such as http://127.0.0.1:5267; got ${url?.split(/\/(?:v3|das)\//)[0]}`,
    );
  const [path, query] = url.split("?", 2) as [string, string?];
  const found = /^(.*?)\/(v3|das)(?:\/([^/]*)|$)/.exec(path);
  const [, before = path, named = contract, own] = found ?? [];
  if (apiKey === "" || (apiKey && found))
    throw new TypeError(`apiKey is empty, or url already contains /${named}/: leave one of both out`);
  const base = before.replace(/\/+$/, "");
  const key = apiKey ? encodeURIComponent(apiKey) : own;
  const shown = base.replace(/\/\/[^/@]*@/, "//");
  return {
    href: apiKey ? `${base}/${named}/${key}` : url,
    shown: key ? `${shown}/${named}/${keyShown}` : shown,
    docs: `${shown}/errors`,
    redact: (text) =>
      [key, apiKey, query].reduce<string>(
        (clean, secret) => (secret ? clean.replaceAll(secret, keyShown) : clean),
        text,
      ),
  };
};

/** Relative addresses are for pages, which have an address of their own. */
const isAddress = (url: string): boolean =>
  /^https?:/.test(url) ? URL.canParse(url) : url.startsWith("/") && "location" in globalThis;
