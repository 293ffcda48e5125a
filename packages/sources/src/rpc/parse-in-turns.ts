import { setImmediate as nextTurn } from "node:timers/promises";
import { ROWS_PER_TURN_MAX } from "./limits.ts";
import { parseAnswer } from "./rpc-client.ts";

const listMark = '"value":[';

/**
 * `parseAnswer` for answers of up to a million accounts. It parses a few hundred at a time, so that requests to this
 * process do not wait. Text in another form than nodes write is parsed in one step.
 *
 * @throws SyntaxError
 */
export const parseInTurns = async (text: string, signal?: AbortSignal): Promise<unknown> => {
  const mark = text.indexOf(listMark);
  if (mark < 0) return parseAnswer(text);
  const from = mark + listMark.length;
  const rows: unknown[] = [];
  let at = from;
  while (text[at] === "{") {
    const end = endOfRows(text, at);
    if (end < 0) return parseAnswer(text);
    let some: unknown;
    try {
      some = parseAnswer(`[${text.slice(at, end)}]`);
    } catch {
      return parseAnswer(text);
    }
    for (const row of some as readonly unknown[]) rows.push(row);
    at = text[end] === "," ? end + 1 : end;
    await nextTurn();
    signal?.throwIfAborted();
  }
  if (text[at] !== "]") return parseAnswer(text);
  const answer = parseAnswer(text.slice(0, from) + text.slice(at)) as {
    readonly result?: { value?: unknown };
  };
  if (!Array.isArray(answer.result?.value)) return parseAnswer(text);
  answer.result.value = rows;
  return answer;
};

/**
 * Offset after the given number of accounts. Each ends with two closing braces, its own and that of its `account`. No
 * text in it can contain a brace.
 */
const endOfRows = (text: string, from: number): number => {
  let at = from;
  for (let row = 0; row < ROWS_PER_TURN_MAX; row += 1) {
    const inner = text.indexOf("}", at);
    const outer = inner < 0 ? -1 : text.indexOf("}", inner + 1);
    if (outer < 0) return -1;
    at = outer + 1;
    if (text[at] !== ",") return at;
    at += 1;
  }
  return at - 1;
};
