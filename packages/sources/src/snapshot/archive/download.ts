import { setTimeout as sleep } from "node:timers/promises";
import { LamplightError } from "@lamplight/errors";
import {
  DOWNLOAD_IDLE_MS,
  DOWNLOAD_RETRIES_MAX,
  DOWNLOAD_RETRY_AFTER_MAX_MS,
  DOWNLOAD_RETRY_DELAY_MAX_MS,
  DOWNLOAD_RETRY_DELAY_MS,
} from "../snapshot-limits.ts";
import { ArchiveFault, refused } from "./archive-fault.ts";
import { type ArchiveUrl, fileNameOf, parseArchiveUrl } from "./archive-url.ts";
import {
  FailedTry,
  failedBy,
  failedWith,
  isOfAnother,
  lengthOf,
  rangeOf,
  request,
  validatorOf,
} from "./download-request.ts";

export interface Download {
  /** The requested URL, without secrets. */
  readonly place: string;
  /** The name at the end of the URL, after redirects. */
  readonly fileName: string;
  /** Null when the server does not report it. */
  readonly sizeBytes: number | null;
  /** Entity tag or date of the file, empty when the server gives neither. */
  readonly validator: string;
  /** Whether reading can start at any offset, and the server identifies the version of the file. */
  readonly isResumable: boolean;
  /**
   * Reads to the last byte. If the connection breaks and the server supports ranges, it continues at the break.
   *
   * @param from - bytes to skip, if it is resumable
   * @throws LamplightError `SOURCE__DOWNLOAD`: the bytes before it are valid; ArchiveFault: they are not, because the
   * file changed
   */
  read(signal?: AbortSignal, from?: number): AsyncGenerator<Buffer>;
}

/**
 * Requests the size and identity of the file at a URL, without its content.
 *
 * @param retryDelayMs - wait after the first failed attempt to continue; it doubles with each further one
 * @throws LamplightError `SOURCE__DOWNLOAD`, `SOURCE__SNAPSHOT_REFUSED`
 */
export const openDownload = async (
  url: string,
  retryDelayMs: number = DOWNLOAD_RETRY_DELAY_MS,
): Promise<Download> => {
  const asked = parseArchiveUrl(url);
  const file = await askAbout(asked).catch((error: unknown) => {
    throw named(error, asked);
  });
  return {
    place: asked.name,
    fileName: fileNameOf(file.target),
    sizeBytes: file.sizeBytes,
    validator: file.validator,
    isResumable: isResumable(file),
    read: (signal, from) => readAll(file, signal, from ?? 0, retryDelayMs),
  };
};

interface RemoteFile {
  /** The URL after redirects. */
  readonly target: ArchiveUrl;
  readonly sizeBytes: number | null;
  readonly validator: string;
  readonly hasRanges: boolean;
}

const askAbout = async (asked: ArchiveUrl): Promise<RemoteFile> => {
  const head = await request(asked, { method: "HEAD" });
  if (head.ok) {
    // Servers that do not know the size report 0.
    const sizeBytes = lengthOf(head) === 0 ? null : lengthOf(head);
    return {
      target: targetOf(head, asked),
      sizeBytes,
      validator: validatorOf(head),
      hasRanges: hasRanges(head),
    };
  }
  // Some servers, and URLs signed for GET, reject HEAD. A request for the first byte reports the same.
  const first = await request(asked, { headers: { range: "bytes=0-0" } });
  await first.body?.cancel();
  if (!first.ok) throw failedWith(first);
  const isPart = first.status === 206;
  return {
    target: targetOf(first, asked),
    sizeBytes: isPart ? (rangeOf(first)?.total ?? null) : lengthOf(first),
    validator: validatorOf(first),
    hasRanges: isPart || hasRanges(first),
  };
};

const hasRanges = (response: Response): boolean => response.headers.get("accept-ranges") === "bytes";

/** Follows a redirect. Credentials for one server are not sent to another. */
const targetOf = (response: Response, asked: ArchiveUrl): ArchiveUrl => {
  if (response.url === "") return asked;
  const target = parseArchiveUrl(response.url);
  const isSame = target.url.origin === asked.url.origin;
  return { ...target, authorization: target.authorization ?? (isSame ? asked.authorization : null) };
};

/** Without ranges and an identity of the file, continuing could join two different files. */
const isResumable = (file: RemoteFile): boolean => file.hasRanges && file.validator !== "";

async function* readAll(
  file: RemoteFile,
  signal: AbortSignal | undefined,
  from: number,
  retryDelayMs: number,
): AsyncGenerator<Buffer> {
  let received = from;
  let fruitless = 0;
  while (received !== file.sizeBytes) {
    const before = received;
    try {
      for await (const chunk of readFrom(file, received, signal)) {
        received += chunk.length;
        if (file.sizeBytes !== null && received > file.sizeBytes)
          throw hopeless(`the server sent more than the ${file.sizeBytes} bytes it announced`);
        yield chunk;
      }
      if (file.sizeBytes === null) return;
      if (received < file.sizeBytes)
        throw new FailedTry(`it ended after ${received} of ${file.sizeBytes} bytes`);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FailedTry)) throw error;
      fruitless = received > before ? 0 : fruitless + 1;
      const canGoOn = received === 0 || isResumable(file);
      if (error.isFinal || !canGoOn || fruitless >= DOWNLOAD_RETRIES_MAX) throw named(error, file.target);
      const waitMs = retryWaitMs(fruitless, error.retryAfterMs, retryDelayMs);
      await sleep(waitMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

/**
 * Milliseconds until the next try.
 *
 * @param fruitless - attempts in a row without a byte
 * @param retryAfterMs - the wait that the server requested; null when it did not
 */
export const retryWaitMs = (fruitless: number, retryAfterMs: number | null, firstMs: number): number => {
  const backoff = Math.min(firstMs * 2 ** Math.max(0, fruitless - 1), DOWNLOAD_RETRY_DELAY_MAX_MS);
  return Math.max(backoff, Math.min(retryAfterMs ?? 0, DOWNLOAD_RETRY_AFTER_MAX_MS));
};

async function* readFrom(
  file: RemoteFile,
  from: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const idle = new AbortController();
  const giveUp = (): void => idle.abort(new Error(`no data for ${DOWNLOAD_IDLE_MS / 1000} s`));
  const signals = signal === undefined ? [idle.signal] : [idle.signal, signal];
  const headers: Record<string, string> =
    from === 0 ? {} : { range: `bytes=${from}-`, "if-range": file.validator };
  let timer = setTimeout(giveUp, DOWNLOAD_IDLE_MS);
  try {
    const response = await request(file.target, { headers, signal: AbortSignal.any(signals) });
    if (isAtEnd(file, from, response)) return;
    assertGoesOn(file, from, response);
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      timer = setTimeout(giveUp, DOWNLOAD_IDLE_MS);
    }
  } catch (error) {
    const isKnown = error instanceof FailedTry || error instanceof ArchiveFault;
    throw isKnown ? error : failedBy(error, file.target);
  } finally {
    clearTimeout(timer);
    // Later bytes of this response are not needed.
    idle.abort();
  }
}

/** A server that did not report the size does so when asked for a range after its end. */
const isAtEnd = (file: RemoteFile, from: number, response: Response): boolean =>
  response.status === 416 && file.sizeBytes === null && rangeOf(response)?.total === from;

/**
 * Checks that an answer contains the file from an offset on. Bytes read before are only discarded if the server sends
 * the file from the start, or reports another file.
 */
const assertGoesOn = (file: RemoteFile, from: number, response: Response): void => {
  const range = rangeOf(response);
  if (response.status === 416) {
    const end = range?.total ?? "no more after those";
    throw hopeless(
      `the server announced ${file.sizeBytes ?? "more"} bytes, and now has ${end}, of which ${from} came`,
    );
  }
  if (response.status !== 200 && response.status !== 206) throw failedWith(response);
  if (response.status === 206) {
    if (isOfAnother(response, file.validator)) throw changed();
    if (range?.start !== from) throw new FailedTry("the server sent other bytes than requested");
  } else if (from > 0) throw changed();
  const found = range === null ? lengthOf(response) : range.total;
  if (found !== null && file.sizeBytes !== null && found !== file.sizeBytes)
    throw hopeless(`the server announced ${file.sizeBytes} bytes, but sent ${found}`);
};

const changed = (): ArchiveFault => refused("the file changed while it was read");

/** A further attempt would fail in the same way. */
const hopeless = (reason: string): FailedTry => new FailedTry(reason, { isFinal: true });

/** Adds the place to errors before they are thrown. */
const named = (error: unknown, target: ArchiveUrl): unknown =>
  error instanceof FailedTry
    ? new LamplightError(
        "SOURCE__DOWNLOAD",
        { url: target.name, reason: error.message },
        { cause: error.cause ?? error },
      )
    : error;
