import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { READ_CHUNK_BYTES } from "../snapshot-limits.ts";
import { type ArchiveName, parseArchiveName } from "./archive-name.ts";
import { isUrl } from "./archive-url.ts";
import { openDownload } from "./download.ts";
import { readKept } from "./kept-download.ts";

/** One archive that can be read from start to end, several times. */
export interface ArchiveSource {
  /** Path or URL, as errors and receipts name it: a URL without userinfo and query. */
  readonly place: string;
  readonly name: ArchiveName;
  /** Changes with the bytes, and contains nothing secret. A resumed load compares it. */
  readonly identity: string;
  /** Compressed bytes; null when a server does not report it. */
  readonly sizeBytes: number | null;
  read(signal?: AbortSignal): AsyncIterable<Buffer>;
}

/**
 * @param keepIn - folder that keeps the bytes of a download, so that a later process can continue; null = none
 * @param retryDelayMs - see `openDownload`
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`, `SOURCE__SNAPSHOT_REFUSED`, `SOURCE__DOWNLOAD`
 */
export const openArchiveSource = (
  place: string,
  keepIn: string | null = null,
  retryDelayMs?: number,
): Promise<ArchiveSource> => (isUrl(place) ? openUrl(place, keepIn, retryDelayMs) : openFile(place));

const openFile = async (path: string): Promise<ArchiveSource> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw new LamplightError("SOURCE__NO_SUCH_PATH", { path }, { cause });
  });
  if (found.isDirectory()) throw refused(path, "it is a folder, not an archive");
  const name = nameOf(path, basename(path));
  return {
    place: path,
    name,
    // Two files may be written at the same time of the system's clock.
    identity: `file ${basename(path)} ${found.ino} ${found.size} ${found.mtimeMs}`,
    sizeBytes: found.size,
    read: (signal) =>
      createReadStream(path, {
        highWaterMark: READ_CHUNK_BYTES,
        ...(signal === undefined ? {} : { signal }),
      }),
  };
};

const openUrl = async (url: string, keepIn: string | null, retryDelayMs?: number): Promise<ArchiveSource> => {
  const download = await openDownload(url, retryDelayMs);
  const { place, fileName, sizeBytes, validator } = download;
  const identity = `url ${fileName} ${sizeBytes} ${validator}`;
  const folder = download.isResumable ? keepIn : null;
  return {
    place,
    // A validator redirects from a fixed path to the archive's full name.
    name: nameOf(place, fileName),
    identity,
    sizeBytes,
    read: (signal) =>
      folder === null ? download.read(signal) : readKept(download, folder, identity, signal),
  };
};

const nameOf = (place: string, fileName: string): ArchiveName => {
  const name = parseArchiveName(fileName);
  if (name === null)
    throw refused(place, "its name must end in .tar.zst, .tar.lz4, .tar.gz or .tar, and it must be finished");
  return name;
};

const refused = (archive: string, reason: string): LamplightError<"SOURCE__SNAPSHOT_REFUSED"> =>
  new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive, reason });
