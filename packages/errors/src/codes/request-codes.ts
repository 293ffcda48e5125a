import { caller, hintData, type Remedy, withHint } from "./definition.ts";

/** Requests that are refused before a method runs. */
export const requestCodes = {
  REQUEST__PARSE: caller<object>(-32700, () => "Parse error"),
  REQUEST__INVALID: caller<{ reason: string } & Remedy>(
    -32600,
    (context) => withHint("Invalid request", context),
    { data: (context) => ({ reason: context.reason, ...hintData(context) }) },
  ),
  /** `hint` names what answers here in place of a method of other servers. */
  REQUEST__METHOD_NOT_FOUND: caller<{ method: string } & Remedy>(
    -32601,
    (context) => withHint("Method not found", context),
    { data: (context) => ({ method: context.method.slice(0, 64), ...hintData(context) }) },
  ),
  REQUEST__KEY_UNKNOWN: caller<object>(-32060, () => "API key missing or unknown", { httpStatus: 401 }),
  /** `why` is a clause, such as "it has expired". */
  REQUEST__KEY_NOT_ALLOWED: caller<{ why: string }>(-32061, ({ why }) => `API key not allowed here: ${why}`, {
    httpStatus: 403,
    data: () => ({ reason: "key" }),
    accountMethodCode: -32600,
  }),
  /** Also sent after too many wrong keys from one address; then without `limit`, which names the exceeded limit. */
  REQUEST__RATE: caller<{ limit?: string; retryAfterSeconds: number }>(
    -32062,
    ({ limit }) => (limit === undefined ? "Too many requests" : `Too many requests: the key's ${limit}`),
    {
      httpStatus: 429,
      data: ({ limit, retryAfterSeconds }) =>
        limit === undefined ? undefined : { reason: "rate", retryAfterSeconds },
      accountMethodCode: -32600,
    },
  ),
  REQUEST__QUOTA: caller<{ limit: string; retryAfterSeconds: number }>(
    -32063,
    ({ limit }) => `Quota used up: the key's ${limit}`,
    {
      httpStatus: 429,
      data: ({ retryAfterSeconds }) => ({ reason: "quota", retryAfterSeconds }),
      accountMethodCode: -32600,
    },
  ),
  REQUEST__BODY_TOO_LARGE: caller<{ limitBytes: number }>(
    -32064,
    ({ limitBytes }) => `Request body is larger than ${limitBytes} bytes`,
    { httpStatus: 413, data: ({ limitBytes }) => ({ limitBytes }) },
  ),
  REQUEST__BATCH_TOO_LARGE: caller<{ count: number; limit: number }>(
    -32065,
    ({ count, limit }) => `Batch has ${count} calls; at most ${limit} are answered`,
    { data: ({ limit }) => ({ limit, reason: "REQUEST__BATCH_TOO_LARGE" }), accountMethodCode: -32600 },
  ),
  REQUEST__BODY_TIMEOUT: caller<{ timeoutMs: number }>(
    -32600,
    ({ timeoutMs }) => `Request body did not arrive within ${timeoutMs} ms`,
    { httpStatus: 408 },
  ),
  REQUEST__HTTP_METHOD: caller<{ answered: "POST" | "GET" }>(
    -32600,
    ({ answered }) =>
      `Only ${answered} is supported on this path${answered === "GET" ? "; calls go to POST /v3/<API_KEY>" : ""}`,
    { httpStatus: 405 },
  ),
  /** `hint` says what serves the path; absent for a path of no server of ours. */
  REQUEST__NOT_FOUND: caller<Remedy>(
    -32600,
    ({ hint = "calls go to POST /v3/<API_KEY>" }) => `No such path; ${hint}`,
    {
      httpStatus: 404,
      data: (context) => (context.hint === undefined ? undefined : hintData(context)),
    },
  ),
  REQUEST__TARGET: caller<object>(
    -32600,
    () => "Request target must be a path or an http(s) URL, with one Host header",
    { httpStatus: 400 },
  ),
  REQUEST__PROFILE: caller<object>(
    -32600,
    () => "The URL's profile must be agave or spec, as in /v3/<API_KEY>?profile=agave",
    { httpStatus: 400 },
  ),
  REQUEST__HOST_NOT_ALLOWED: caller<object>(
    -32600,
    () => "Host name not allowed; add it to the server's setting allowedHosts",
    { httpStatus: 421 },
  ),
  REQUEST__HTTP_VERSION: caller<object>(-32600, () => "Only HTTP/1.1 and HTTP/1.0 are supported", {
    httpStatus: 400,
  }),
  REQUEST__TOO_MANY_HEADERS: caller<{ readonly limit: number }>(
    -32600,
    ({ limit }) => `Request has more than ${limit} headers`,
    { httpStatus: 431 },
  ),
  REQUEST__TRANSFER_ENCODING: caller<object>(
    -32600,
    () => "Transfer-Encoding must be chunked or absent, and in HTTP/1.0 absent",
    { httpStatus: 501 },
  ),
  REQUEST__CONTENT_TYPE: caller<object>(-32600, () => "Content-Type: application/json is required", {
    httpStatus: 415,
  }),
  REQUEST__CONTENT_ENCODING: caller<object>(
    -32600,
    () => "Content-Encoding must be absent, identity or gzip",
    {
      httpStatus: 415,
    },
  ),
};
