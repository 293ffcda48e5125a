import type { BatchAnswer } from "../call/transport.ts";
import { HttpError } from "../http-error.ts";
import { parseExact } from "../json/parse-exact.ts";
import { RpcError } from "../rpc-error.ts";

const STATUS_OK = 200;

/** Longest piece of a foreign answer that is repeated in a message. */
const ECHO_LENGTH_MAX = 200;

/** The result in the text of a response. @throws RpcError, HttpError */
export const readResult = (text: string, id: number): unknown => {
  const response = parseReply(text);
  const answer = toAnswer(response);
  if (answer === null || (answer.ok && response["id"] !== id)) throw notRpc(text);
  if (!answer.ok) throw answer.error;
  return answer.result;
};

/**
 * Answers of a batch, in the order of their ids.
 *
 * @throws RpcError when the batch as a whole was refused; HttpError when an answer is missing
 */
export const readBatch = (text: string, ids: readonly number[]): readonly BatchAnswer<unknown>[] => {
  const responses = parseReply(text);
  if (!Array.isArray(responses)) {
    const answer = toAnswer(responses);
    throw answer === null || answer.ok ? notRpc(text) : answer.error;
  }
  const byId = new Map(responses.filter(isMembers).map((response) => [response["id"], response]));
  return ids.map((id) => {
    const response = byId.get(id);
    const answer = response === undefined ? null : toAnswer(response);
    if (answer === null) throw notRpc(text);
    return answer;
  });
};

/** The JSON-RPC error in the body of a refusal; null when there is none. */
export const findRpcError = (text: string): RpcError | null => {
  try {
    const answer = toAnswer(parseReply(text));
    return answer === null || answer.ok ? null : answer.error;
  } catch {
    return null;
  }
};

type Members = { readonly [name: string]: unknown };

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;

const parseReply = (text: string): Members => {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (cause) {
    throw notRpc(text, cause);
  }
  if (!isMembers(value)) throw notRpc(text);
  return value;
};

const toAnswer = (response: Members): BatchAnswer<unknown> | null => {
  const { error } = response;
  if (isMembers(error))
    return { ok: false, error: new RpcError(Number(error["code"]), String(error["message"]), error["data"]) };
  return "result" in response ? { ok: true, result: response["result"] } : null;
};

const notRpc = (text: string, cause?: unknown): HttpError =>
  new HttpError(
    `the answer is no JSON-RPC response to this call: ${text.slice(0, ECHO_LENGTH_MAX)}`,
    { status: STATUS_OK },
    { cause },
  );
