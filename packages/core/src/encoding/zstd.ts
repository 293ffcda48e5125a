import { createZstdCompress } from "node:zlib";

/** The answer of a node for no data: the one frame that states its size. */
const emptyFrame = "KLUv/SAAAQAA";

/**
 * Base64 of a zstd frame, byte for byte what Agave answers.
 *
 * Agave streams the data through the encoder and then ends the frame, at the default level. The size is unknown
 * while it streams, so tables and window are those for unlimited data. The one-call functions know the size and
 * choose others: even without the size in the header their bytes differ.
 */
export const encodeZstd = async (data: Uint8Array): Promise<string> =>
  data.length === 0 ? emptyFrame : compress(data);

const compress = (data: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stream = createZstdCompress();
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("end", () => resolve(Buffer.concat(chunks).toString("base64")));
    stream.end(data);
  });
