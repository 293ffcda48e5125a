/** Takes what came next of an answer. Returns whether the answer ends with it. */
export type AnswerRest = (bytes: Buffer) => boolean;

export interface AnswerHead {
  readonly isOk: boolean;
  /** Offset at which the body begins. */
  readonly bodyStart: number;
  /** Where its text begins: after the size of the first chunk, if it comes in chunks. */
  readonly textStart: number;
  /** Takes the bytes of the body from its beginning. */
  readonly rest: AnswerRest;
}

const lineEnd = "\r\n";
const HEAD_END = lineEnd + lineEnd;
const lastChunk = `${lineEnd}0${HEAD_END}`;
const ok = /^HTTP\/1\.1 200/u;
const lengthPattern = /\r\ncontent-length: (\d+)/iu;

/** Null while it is not complete. */
export const answerHeadOf = (received: Buffer): AnswerHead | null => {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return null;
  const bodyStart = end + HEAD_END.length;
  const text = received.toString("latin1", 0, end);
  const length = lengthPattern.exec(text)?.[1];
  const isOk = ok.test(text);
  if (length !== undefined) return { isOk, bodyStart, textStart: bodyStart, rest: countDown(Number(length)) };
  const sizeEnd = received.indexOf(lineEnd, bodyStart);
  if (sizeEnd === -1) return null;
  return { isOk, bodyStart, textStart: sizeEnd + lineEnd.length, rest: untilLastChunk() };
};

const countDown = (length: number): AnswerRest => {
  let missing = length;
  return (bytes) => {
    missing -= bytes.length;
    return missing <= 0;
  };
};

/** JSON in one line never holds the end of the last chunk. */
const untilLastChunk = (): AnswerRest => {
  let tail = "";
  return (bytes) => {
    const start = Math.max(0, bytes.length - lastChunk.length);
    tail = (tail + bytes.toString("latin1", start)).slice(-lastChunk.length);
    return tail === lastChunk;
  };
};
