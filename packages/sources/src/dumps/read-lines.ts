import { createReadStream } from "node:fs";

export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Null when the line is longer than the limit; it is then skipped up to its end. */
  readonly bytes: Buffer | null;
  /** Bytes of the file up to and with this line. */
  readonly endBytes: number;
}

const NEWLINE = 10;

/** Lines of a file, in memory bounded by `limitBytes`, however long a line is. */
export async function* readLines(path: string, limitBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let partsBytes = 0;
  let tooLong = false;
  let number = 0;
  let endBytes = 0;
  const keep = (part: Buffer): void => {
    partsBytes += part.length;
    if (partsBytes > limitBytes) {
      tooLong = true;
      parts = [];
    } else parts.push(part);
  };
  const finish = (): Line => {
    number += 1;
    const line = { number, bytes: tooLong ? null : Buffer.concat(parts), endBytes };
    parts = [];
    partsBytes = 0;
    tooLong = false;
    return line;
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      endBytes += end + 1 - start;
      start = end + 1;
      yield finish();
    }
    keep(chunk.subarray(start));
    endBytes += chunk.length - start;
  }
  if (partsBytes > 0) yield finish();
}
