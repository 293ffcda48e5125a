// Calls to the server that serves this page. Answers keep their text: numbers beyond 2^53 would lose digits as numbers.
const KEY_NAME = "lamplight-key";
const TIMEOUT_MS = 30_000;

const base = new URL("../", document.baseURI).href.replace(/\/$/, "");
let key = "";

export const serverUrl = base;

/** What this server says of itself; an empty object when the page is served by something else. */
export const readConfig = async () => {
  try {
    const response = await fetch(`${base}/docs-config.json`);
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
};

/** The public key of this server, or the one that this tab has used; empty where there is neither. */
export const findKey = ({ publicKey }) => {
  try {
    key = sessionStorage.getItem(KEY_NAME) ?? "";
  } catch {
    // No storage: the key is forgotten with the page.
  }
  key = publicKey ?? key;
  return key;
};

export const useKey = (given) => {
  key = given;
  try {
    sessionStorage.setItem(KEY_NAME, given);
  } catch {
    // No storage: the key is forgotten with the page.
  }
};

export const endpoint = () => `${base}/v3/${encodeURIComponent(key)}`;

/** Whole numbers that a double cannot hold become bigint, where the browser gives their digits. */
const keepDigits = (_name, value, context) =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
    ? BigInt(context.source)
    : value;

const ask = async (body) => {
  try {
    return await fetch(endpoint(), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    const isLate = cause.name === "TimeoutError";
    const reason = isLate ? `did not answer within ${TIMEOUT_MS / 1000} seconds` : "cannot be reached";
    throw new Error(`The server ${reason}.`, { cause });
  }
};

const parse = (text, status) => {
  try {
    return JSON.parse(text, keepDigits);
  } catch (cause) {
    throw new Error(`Something between this page and the server answered HTTP ${status}.`, { cause });
  }
};

/**
 * One answer. `error` is null where `result` is there.
 *
 * @throws Error whose message a visitor can read, where there is no answer
 */
export const call = async (method, params) => {
  const response = await ask(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const text = await response.text();
  const { result, error = null } = parse(text, response.status);
  const incomplete = response.headers.get("x-incomplete-trees");
  const slot = response.headers.get("x-slot");
  const updatedSlot = response.headers.get("x-updated-slot");
  return { method, params, text, result, error, slot, updatedSlot, incomplete };
};

/** As `call`, where a refusal is thrown too. */
export const callOrThrow = async (method, params) => {
  const answer = await call(method, params);
  if (answer.error !== null) throw answer.error;
  return answer;
};

/** The newest slot that this server answers from; null while it is not ready. */
export const readSlot = async () => {
  const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { slot } = await response.json();
  return typeof slot === "number" ? slot : null;
};

export const readContract = async () => (await fetch(`${base}/openrpc.json`)).json();
