import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { diskError } from "@lamplight/errors";
import { READ_CHUNK_BYTES } from "../snapshot-limits.ts";
import type { Download } from "./download.ts";

const prefix = "download-";

/**
 * A download whose bytes are kept in a folder until it is complete, so that a restarted process continues it. Bytes
 * of another file, or of an older version, are removed.
 *
 * @param folder - created if it does not exist
 * @param identity - changes when the bytes do
 */
export async function* readKept(
  download: Download,
  folder: string,
  identity: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const name = prefix + hash("sha256", identity).slice(0, 32);
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw diskError(error, folder);
  });
  for (const other of await readdir(folder))
    if (other.startsWith(prefix) && other !== name) await rm(join(folder, other));
  const path = join(folder, name);
  const kept = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (kept > 0) yield* readPart(path, kept, signal);
  const file = await open(path, "a");
  try {
    for await (const chunk of download.read(signal, kept)) {
      await file.appendFile(chunk);
      yield chunk;
    }
  } catch (error) {
    throw diskError(error, folder);
  } finally {
    await file.close();
  }
}

async function* readPart(path: string, bytes: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const stream = createReadStream(path, {
    end: bytes - 1,
    highWaterMark: READ_CHUNK_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const chunk of stream) yield chunk as Buffer;
}
