import { createReadStream } from "node:fs";
import { decompressArchive, ManifestParser } from "@lamplight/sources/snapshot";

/** Reads a manifest that comes without its archive. Its file name may say the slot: `manifest-<cluster>-<slot>.bin.zst`. */
export const manifestDifferences = async (path: string): Promise<readonly string[]> => {
  const parts: Buffer[] = [];
  for await (const chunk of decompressArchive(createReadStream(path), "zstd")) parts.push(Buffer.from(chunk));
  const bytes = Buffer.concat(parts);
  const parser = new ManifestParser(bytes.length);
  parser.write(bytes);
  const { slot, capitalization, extras } = parser.end();
  const differences: string[] = [];
  const named = /-(\d+)\.bin\.zst$/.exec(path)?.[1];
  if (named !== undefined && Number(named) !== slot) differences.push(`slot: expected ${named}, got ${slot}`);
  if (extras.fault !== null) differences.push(`not read to its end: ${extras.fault}`);
  if (extras.unknownBytes !== 0) differences.push(`${extras.unknownBytes} bytes are left over`);
  if (capitalization === 0n) differences.push("no capitalization");
  return differences;
};
