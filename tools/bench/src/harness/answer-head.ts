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

const LINE_END = "\r\n";
const HEAD_END = LINE_END + LINE_END;
const LAST_CHUNK = `${LINE_END}0${HEAD_END}`;
const OK = /^HTTP\/1\.1 200/u;
const LENGTH = /\r\ncontent-length: (\d+)/iu;

/** Null while it is not complete. */
export const answerHeadOf = (received: Buffer): AnswerHead | null => {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return null;
  const bodyStart = end + HEAD_END.length;
  const text = received.toString("latin1", 0, end);
  const length = LENGTH.exec(text)?.[1];
  const isOk = OK.test(text);
  if (length !== undefined) return { isOk, bodyStart, textStart: bodyStart, rest: countDown(Number(length)) };
  const sizeEnd = received.indexOf(LINE_END, bodyStart);
  if (sizeEnd === -1) return null;
  return { isOk, bodyStart, textStart: sizeEnd + LINE_END.length, rest: untilLastChunk() };
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
    const start = Math.max(0, bytes.length - LAST_CHUNK.length);
    tail = (tail + bytes.toString("latin1", start)).slice(-LAST_CHUNK.length);
    return tail === LAST_CHUNK;
  };
};
