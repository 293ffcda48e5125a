// Reads and decompresses a response body. Both sizes are counted while it arrives; no length header is trusted.

import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { FetchFault } from "./fetch-outcome.ts";
import type { OffchainLimits } from "./offchain-limits.ts";

export const acceptedEncodings = "gzip, br, zstd";

/** 8 MiB of window: the memory that a sender can make us use before the first byte is decoded. */
const ZSTD_WINDOW_LOG_MAX = 23;

/**
 * The whole body.
 *
 * @throws FetchFault `tooLarge` as soon as either count passes its bound; `failed` when it is truncated or corrupt
 */
export const readResponse = async (
  response: IncomingMessage,
  limits: OffchainLimits,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const chunks: Buffer[] = [];
  const collect = async (body: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of body) chunks.push(chunk);
  };
  const decoder = createDecoder(response.headers["content-encoding"]);
  try {
    if (decoder === null) await pipeline(response, bounded(limits), collect, { signal });
    else await pipeline(response, bounded(limits), decoder, bounded(limits), collect, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchFault) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new FetchFault("failed", `the body broke off: ${code ?? "unknown"}`);
  }
  return Buffer.concat(chunks);
};

/** Passes bytes on up to the bound. */
const bounded = ({ bodyBytesMax }: OffchainLimits): Transform => {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > bodyBytesMax)
        done(new FetchFault("tooLarge", `the body is larger than ${bodyBytesMax} bytes`));
      else done(null, chunk);
    },
  });
};

/** Null for a body that is not compressed. Only one coding is accepted, because stacked ones only serve attacks. */
const createDecoder = (encoding: string | undefined): Transform | null => {
  switch (encoding?.trim().toLowerCase() ?? "") {
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } });
    default:
      throw new FetchFault("refused", "the content encoding is not one we asked for");
  }
};
