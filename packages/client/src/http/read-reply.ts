import type { BatchAnswer } from "../call/transport.ts";
import { HttpError } from "../errors/http-error.ts";
import { RpcError, type RpcErrorOrigin, type WireError } from "../errors/rpc-error.ts";
import { parseExact } from "../json/parse-exact.ts";
import type { Endpoint } from "./endpoint.ts";
import { hintForAnswer, hintForKey, hintForMethod } from "./hints.ts";

/** Longest piece of a foreign answer that is repeated in a message. */
const ECHO_LENGTH_MAX = 200;

/** The text of an answer, and what errors made of it name. */
export interface Reply {
  /** The whole body. */
  readonly text: string;
  /** The endpoint to which it was posted. */
  readonly endpoint: Endpoint;
  /** Members that its errors have in common. */
  readonly origin: RpcErrorOrigin & { readonly status: number };
}

/** The result in a reply. @throws RpcError, HttpError */
export const readResult = (reply: Reply, id: number): unknown => {
  const response = parseReply(reply);
  const answer = toAnswer(response, reply);
  if (!answer.ok) throw answer.error;
  if (response["id"] !== id) throw notRpc(reply);
  return answer.result;
};

/**
 * Answers of a batch, in the order of their ids.
 *
 * @throws RpcError when the batch as a whole was refused; HttpError when an answer is missing
 */
export const readBatch = (
  reply: Reply,
  ids: readonly number[],
  methods: readonly string[],
): readonly BatchAnswer<unknown>[] => {
  const responses = parseReply(reply);
  if (!Array.isArray(responses)) throw readRefusal(reply);
  const byId = new Map(responses.filter(isMembers).map((response) => [response["id"], response]));
  return ids.map((id, index) =>
    toAnswer(byId.get(id) ?? {}, { ...reply, origin: { ...reply.origin, method: methods[index] } }),
  );
};

/** A refusal as an error: of the registry when its body says so. */
export const readRefusal = (reply: Reply): RpcError | HttpError => {
  try {
    const answer = toAnswer(parseReply(reply), reply);
    return answer.ok ? notRpc(reply) : answer.error;
  } catch (error) {
    return error as HttpError;
  }
};

type Members = { readonly [name: string]: unknown };

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;

const parseReply = (reply: Reply): Members => {
  let value: unknown;
  try {
    value = parseExact(reply.text);
  } catch (cause) {
    throw notRpc(reply, cause);
  }
  if (!isMembers(value)) throw notRpc(reply);
  return value;
};

/** @throws HttpError where it is none */
const toAnswer = (response: Members, reply: Reply): BatchAnswer<unknown> => {
  const { origin, endpoint } = reply;
  const { error } = response;
  if (isMembers(error)) {
    const { message, ...rest } = error as unknown as WireError;
    const wire = { ...rest, message: endpoint.redact(String(message)) };
    const hint = hintFor(wire, origin.status, endpoint.shown);
    return { ok: false, error: new RpcError(wire, { ...origin, hint }) };
  }
  if (!("result" in response)) throw notRpc(reply);
  return { ok: true, result: response["result"] };
};

const METHOD_NOT_FOUND = -32_601;
const STATUS_UNAUTHORIZED = 401;
const STATUS_NOT_FOUND = 404;

const hintFor = ({ code }: WireError, status: number, url: string): string | undefined => {
  if (code === METHOD_NOT_FOUND) return hintForMethod;
  if (status === STATUS_UNAUTHORIZED) return hintForKey;
  return status === STATUS_NOT_FOUND ? hintForAnswer("", url) : undefined;
};

const notRpc = ({ text, origin, endpoint }: Reply, cause?: unknown): HttpError => {
  const hint = hintForAnswer(text, endpoint.shown);
  const start = endpoint.redact(text.slice(0, ECHO_LENGTH_MAX));
  return new HttpError(
    `HTTP ${origin.status} from ${endpoint.shown} is no JSON-RPC response; ${hint}: ${start}`,
    {
      ...origin,
      hint,
      cause,
    },
  );
};
