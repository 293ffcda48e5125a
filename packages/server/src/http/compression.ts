import { brotliCompress, constants, gzip } from "node:zlib";

import type { SharedCells } from "../gate/shared-cells.ts";

export type Coding = "br" | "gzip";

/** Pages and documents, which are compressed once, from this size on; below it a packet holds them anyway. */
export const DOCUMENT_BYTES_MIN = 1024;
/** Answers from this size on: compressing a smaller one costs more processor time than the call itself. */
export const ANSWER_CHARS_MIN = 16 << 10;

/** The better one of the codings that an `Accept-Encoding` takes; null for neither. */
export const chooseCoding = (accepted: string | undefined): Coding | null => {
  if (accepted === undefined) return null;
  let chosen: Coding | null = null;
  for (const part of accepted.toLowerCase().split(",", ACCEPTED_MAX)) {
    const [name = "", ...settings] = part.split(";").map((text) => text.trim());
    if (settings.some((setting) => /^q=0(?:\.0*)?$/u.test(setting))) continue;
    if (name === "br") return "br";
    if (name === "gzip" || name === "x-gzip") chosen = "gzip";
  }
  return chosen;
};

const ACCEPTED_MAX = 16;

/** Compresses on a thread of Node's pool. `isKept`: sent many times, so that effort pays. */
export const compress = (body: Buffer, coding: Coding, isKept: boolean): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, compressed: Buffer): void =>
      error === null ? resolve(compressed) : reject(error);
    if (coding === "gzip") return gzip(body, { level: isKept ? 9 : 1 }, done);
    brotliCompress(body, { params: brotliParams(isKept ? 5 : 1, body.length) }, done);
  });

/** A window of 256 KiB: the default one takes 4 MiB for each answer under way. */
const WINDOW_BITS = 18;

const brotliParams = (quality: number, sizeHint: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: quality,
  [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: sizeHint,
});

/** Answers that are compressed at a time, by all workers together, each on a thread of Node's pool. */
const COMPRESSIONS_MAX = 2;

/** Compresses a bounded number of answers at a time. Others are sent without compression. */
export class AnswerCompression {
  readonly #underWay: SharedCells;

  constructor(underWay: SharedCells) {
    this.#underWay = underWay;
  }

  /** The coding for an answer; null = without compression. */
  codingFor(accepted: string | undefined): Coding | null {
    return this.#underWay.all >= COMPRESSIONS_MAX ? null : chooseCoding(accepted);
  }

  async compress(body: Buffer, coding: Coding): Promise<Buffer> {
    this.#underWay.addToAll(1);
    try {
      return await compress(body, coding, false);
    } finally {
      this.#underWay.addToAll(-1);
    }
  }
}
