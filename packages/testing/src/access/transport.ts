import { stringifyExact } from "@lamplight/client";
import { svmMethods } from "../svm/svm-methods.ts";

/** Kit's `RpcTransport`. */
export type ChainTransport = <Response>(request: {
  readonly payload: unknown;
  readonly signal?: AbortSignal;
}) => Promise<Response>;

/** Methods whose whole numbers Kit reads as bigints. It reads those of asset methods as numbers. */
const bigintMethods: ReadonlySet<unknown> = new Set([
  "getAccountInfo",
  "getLargestAccounts",
  "getTokenAccountsByDelegate",
  "getTokenSupply",
  ...svmMethods.keys(),
]);

/** Code of Kit's SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR. */
const TRANSPORT_HTTP_ERROR = 8_100_002;

/** A transport for Kit, over the chain's `fetch`. */
export const transportOf =
  (fetch: typeof globalThis.fetch): ChainTransport =>
  async <Answer>({ payload, signal }: Parameters<ChainTransport>[0]): Promise<Answer> => {
    const response = await fetch("http://chain.test", {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json; charset=utf-8" },
      body: stringifyExact(payload),
      signal: signal ?? null,
    });
    if (!response.ok) throw httpErrorOf(response);
    const { method } = payload as { readonly method?: unknown };
    const text = await response.text();
    return (bigintMethods.has(method) ? parseBigints(text) : JSON.parse(text)) as Answer;
  };

/** The third argument of a reviver is newer than the type library's `JSON.parse`. */
interface ReviverContext {
  readonly source?: string;
}

const wholeNumber = /^(-?\d+)(?:[eE]\+?(\d{1,3}))?$/u;

const parseBigints = (text: string): unknown =>
  JSON.parse(text, (_name: string, value: unknown, context?: ReviverContext): unknown => {
    const [, digits, exponent = "0"] =
      typeof value === "number" ? (wholeNumber.exec(context!.source!) ?? []) : [];
    return digits === undefined ? value : BigInt(digits) * 10n ** BigInt(exponent);
  });

/** An error that Kit's `isSolanaError` recognizes, as from Kit's own transport. */
const httpErrorOf = ({ status, statusText, headers }: Response): Error => {
  const error = new Error(`HTTP error (${status}): ${statusText}`);
  error.name = "SolanaError";
  const context = { __code: TRANSPORT_HTTP_ERROR, headers, message: statusText, statusCode: status };
  return Object.assign(error, { context: Object.freeze(context) });
};
