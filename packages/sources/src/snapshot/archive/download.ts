import { setTimeout as sleep } from "node:timers/promises";
import { LamplightError } from "@lamplight/errors";
import { ArchiveFault, refused } from "./archive-fault.ts";
import { DOWNLOAD_IDLE_MS, DOWNLOAD_RETRIES_MAX, DOWNLOAD_RETRY_DELAY_MS } from "../snapshot-limits.ts";

export interface Download {
  /** After redirects. */
  readonly finalUrl: string;
  /** Null when the server does not say. */
  readonly sizeBytes: number | null;
  /** Entity tag or date of the file, empty when the server gives neither. */
  readonly validator: string;
  /** Whether it can begin anywhere, and the server tells when the file is another one. */
  readonly isResumable: boolean;
  /**
   * To the last byte; taken up again where it broke when the server has ranges.
   *
   * @param from - bytes to leave out, where it is resumable
   */
  read(signal?: AbortSignal, from?: number): AsyncGenerator<Buffer>;
}

/** Asks what is behind a URL, without its content. */
export const openDownload = async (url: string): Promise<Download> => {
  let head = await request(url, { method: "HEAD" }, url);
  if (withoutHead.includes(head.status)) {
    // Some servers only know how to send: the beginning of the answer tells the same.
    head = await request(url, {}, url);
    await head.body?.cancel();
  }
  if (!head.ok) throw failed(url, `the server answers ${head.status}`);
  const file: RemoteFile = {
    finalUrl: head.url === "" ? url : head.url,
    sizeBytes: lengthOf(head),
    validator: validatorOf(head),
    hasRanges: head.headers.get("accept-ranges") === "bytes",
  };
  return {
    ...file,
    isResumable: isResumable(file),
    read: (signal, from) => readAll(file, signal, from ?? 0),
  };
};

/** Answers of servers that do not know the method HEAD. */
const withoutHead: readonly number[] = [403, 405, 501];

interface RemoteFile {
  readonly finalUrl: string;
  readonly sizeBytes: number | null;
  readonly validator: string;
  readonly hasRanges: boolean;
}

/** Without ranges and something to recognise the file by, going on could join two different files. */
const isResumable = (file: RemoteFile): boolean => file.hasRanges && file.validator !== "";

async function* readAll(
  file: RemoteFile,
  signal: AbortSignal | undefined,
  from: number,
): AsyncGenerator<Buffer> {
  let received = from;
  if (received === file.sizeBytes) return;
  let fruitless = 0;
  for (;;) {
    const before = received;
    try {
      for await (const chunk of readFrom(file, received, signal)) {
        received += chunk.length;
        yield chunk;
      }
      if (file.sizeBytes === null || received === file.sizeBytes) return;
      throw failed(file.finalUrl, `it ended after ${received} of ${file.sizeBytes} bytes`);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ArchiveFault) throw error;
      fruitless = received > before ? 0 : fruitless + 1;
      const canResume = received === 0 || isResumable(file);
      if (!canResume || fruitless >= DOWNLOAD_RETRIES_MAX) throw error;
      await sleep(DOWNLOAD_RETRY_DELAY_MS, undefined, signal === undefined ? {} : { signal });
    }
  }
}

async function* readFrom(
  file: RemoteFile,
  from: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const idle = new AbortController();
  const signals = signal === undefined ? [idle.signal] : [idle.signal, signal];
  const headers: Record<string, string> =
    from === 0 ? {} : { range: `bytes=${from}-`, "if-range": file.validator };
  const response = await request(file.finalUrl, { headers, signal: AbortSignal.any(signals) }, file.finalUrl);
  if (from > 0 && response.status !== 206) throw refused("the file changed while it was read");
  if (!response.ok || response.body === null)
    throw failed(file.finalUrl, `the server answers ${response.status}`);
  let timer = setTimeout(() => idle.abort(), DOWNLOAD_IDLE_MS);
  try {
    for await (const chunk of response.body) {
      clearTimeout(timer);
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      timer = setTimeout(() => idle.abort(), DOWNLOAD_IDLE_MS);
    }
  } catch (cause) {
    throw failed(file.finalUrl, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    clearTimeout(timer);
  }
}

const request = async (url: string, init: RequestInit, named: string): Promise<Response> => {
  try {
    return await fetch(url, { ...init, headers: { ...init.headers, "accept-encoding": "identity" } });
  } catch (cause) {
    throw failed(named, cause instanceof Error ? cause.message : String(cause), cause);
  }
};

const lengthOf = (response: Response): number | null => {
  const text = response.headers.get("content-length");
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
};

/** Weak tags do not promise equal bytes. */
const validatorOf = (response: Response): string => {
  const tag = response.headers.get("etag");
  if (tag !== null && !tag.startsWith("W/")) return tag;
  return response.headers.get("last-modified") ?? "";
};

const failed = (url: string, reason: string, cause?: unknown): LamplightError<"SOURCE__DOWNLOAD"> =>
  new LamplightError("SOURCE__DOWNLOAD", { url, reason }, { cause });
