/** One exchange of a transcript: what it shows, what is sent, what exactly comes back. */
export interface Exchange {
  /** 1-based line of the request. */
  readonly line: number;
  readonly intent: string;
  /** Header lines, as `Name: value`. */
  readonly headers: readonly string[];
  readonly request: string;
  /** Null while it has not been recorded; empty for an empty body. */
  readonly response: string | null;
}

/**
 * Reads a transcript: `//` lines say what follows, `::` lines are request headers, `>>` is the request, `<<` the exact
 * response. Empty lines separate.
 *
 * @throws Error naming the line of anything else
 */
export const parseTranscript = (text: string): readonly Exchange[] => {
  const exchanges: Exchange[] = [];
  let intent: string[] = [];
  let headers: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const rest = line.slice(2).trim();
    const last = exchanges.at(-1);
    if (line.startsWith("//")) {
      if (headers.length > 0) throw fault(index, "a comment between headers and request");
      intent.push(rest);
    } else if (line.startsWith("::")) headers.push(rest);
    else if (line.startsWith(">>")) {
      exchanges.push({ line: index + 1, intent: intent.join(" "), headers, request: rest, response: null });
      intent = [];
      headers = [];
    } else if (line.startsWith("<<")) {
      if (last === undefined || last.response !== null) throw fault(index, "a response without a request");
      exchanges[exchanges.length - 1] = { ...last, response: rest };
    } else if (line.trim() !== "") throw fault(index, `neither //, ::, >> nor <<: ${line.slice(0, 40)}`);
  }
  return exchanges;
};

/** The transcript with each response replaced; comments, headers and empty lines stay where they are. */
export const recordTranscript = (text: string, responses: readonly string[]): string => {
  let next = 0;
  const lines = text.split("\n").filter((line) => !line.startsWith("<<"));
  return lines
    .flatMap((line) => (line.startsWith(">>") ? [line, `<< ${responses[next++] ?? ""}`.trimEnd()] : [line]))
    .join("\n");
};

const fault = (index: number, reason: string): Error => new Error(`line ${index + 1}: ${reason}`);
