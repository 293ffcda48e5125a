import { setImmediate as nextTurn } from "node:timers/promises";
import { ROWS_PER_TURN_MAX } from "./limits.ts";
import { parseAnswer } from "./rpc-client.ts";

const listMark = '"value":[';

type Keep = (row: unknown) => unknown;

const everything: Keep = (row) => row;

/**
 * `parseAnswer` for answers of up to a million accounts. It parses a few hundred at a time, so that requests to this
 * process do not wait. Text in another form than nodes write is parsed in one step.
 *
 * @param keep - what is kept of each row of the list
 * @throws SyntaxError, and what `keep` throws
 */
export const parseInTurns = async (
  text: string,
  signal?: AbortSignal,
  keep: Keep = everything,
): Promise<unknown> => {
  const mark = text.indexOf(listMark);
  if (mark < 0) return parseAtOnce(text, keep);
  const from = mark + listMark.length;
  const rows: unknown[] = [];
  let at = from;
  while (text[at] === "{") {
    const end = endOfRows(text, at);
    if (end < 0) return parseAtOnce(text, keep);
    let some: unknown;
    try {
      some = parseAnswer(`[${text.slice(at, end)}]`);
    } catch {
      return parseAtOnce(text, keep);
    }
    for (const row of some as readonly unknown[]) rows.push(keep(row));
    at = text[end] === "," ? end + 1 : end;
    await nextTurn();
    signal?.throwIfAborted();
  }
  if (text[at] !== "]") return parseAtOnce(text, keep);
  const answer = parseAnswer(text.slice(0, from) + text.slice(at)) as Answer;
  if (!Array.isArray(answer.result?.value)) return parseAtOnce(text, keep);
  answer.result.value = rows;
  return answer;
};

interface Answer {
  readonly result?: { value?: unknown };
}

const parseAtOnce = (text: string, keep: Keep): unknown => {
  const answer = parseAnswer(text) as Answer | null;
  const result = answer?.result;
  if (Array.isArray(result?.value)) result.value = (result.value as readonly unknown[]).map(keep);
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
