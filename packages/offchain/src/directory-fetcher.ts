// Documents from a folder, for machines without a network: each named by the sha256 of its URI, in hex.

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentFetcher, failure, type FetchOutcome } from "./fetch-outcome.ts";
import { offchainLimits, type OffchainLimits } from "./offchain-limits.ts";
import { readJsonBody } from "./read-body.ts";

/** Name of the file that holds the document of a URI. */
export const documentFileName = (uri: string): string => createHash("sha256").update(uri).digest("hex");

export const createDirectoryFetcher = (
  directory: string,
  limits: OffchainLimits = offchainLimits,
): DocumentFetcher => ({
  fetch: async (uri) => {
    const bytes = await readFileBounded(join(directory, documentFileName(uri)), limits.bodyBytesMax);
    if (!(bytes instanceof Uint8Array)) return bytes;
    const reading = readJsonBody(bytes, limits);
    if (reading.kind === "notJson") return failure("notJson", reading.reason);
    return {
      kind: "document",
      json: reading.json,
      sha256: reading.sha256,
      etag: null,
      lastModified: null,
      immutable: false,
    };
  },
});

const readFileBounded = async (file: string, bytesMax: number): Promise<Uint8Array | FetchOutcome> => {
  let handle;
  try {
    handle = await open(file);
  } catch {
    return failure("gone", "the folder does not have it");
  }
  try {
    const { size } = await handle.stat();
    if (size > bytesMax) return failure("tooLarge", `the file is larger than ${bytesMax} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};
