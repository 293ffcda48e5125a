// The hint says what the user should check when no Lamplight server answered.

const checkAddress = "check host, port (default 5267) and path of url";

/** For an answer that is no JSON-RPC response, or the refusal of a path. */
export const hintForAnswer = (text: string, url: string): string => {
  if (!/\/(v3|das)\//.test(url)) return "calls go to <address>/v3/<key>: set apiKey, or put both into url";
  if (/^\s*</.test(text)) return `a web page answered; ${checkAddress}`;
  return checkAddress;
};

/** A hint for a method of the contract that the server does not know. */
export const hintForMethod = `this is no Lamplight server, or an older one; ${checkAddress}`;

/** A hint for HTTP 401. */
export const hintForKey = "check apiKey: the server does not know it";

/** Codes of Node for connections that were never there. */
const neverThere = /ECONNREFUSED|ENOTFOUND/;

const connectionLost =
  "check that the server runs; the console of a browser says more (CORS, http from an https page)";

/** The reason why no answer arrived. */
export interface NetworkFault {
  /** Advice: something to check. */
  readonly hint: string;
  /** The code that the engine reports, such as `ECONNREFUSED`. */
  readonly reason: string;
  /** Whether there was a connection, so that another attempt may help. */
  readonly isDropped: boolean;
}

/** The error that `fetch` threw. */
export const networkFault = (error: unknown): NetworkFault => {
  const { code = "", message } = ((error as { cause?: unknown }).cause ?? error) as {
    code?: string;
    message?: string;
  };
  const isDropped = !neverThere.test(code);
  return {
    hint: isDropped ? connectionLost : `start the server, or ${checkAddress}`,
    reason: message || code,
    isDropped,
  };
};
