// The off-chain document of an asset, with a picture: made of the asset's own properties, the same in every run.

import { hash } from "node:crypto";

export interface DocumentFields {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  /** Address of the picture; null = one is drawn. */
  readonly image: string | null;
  readonly animationUrl: string | null;
  readonly externalUrl: string | null;
  readonly attributes: readonly { readonly trait_type: string; readonly value: string | number }[];
}

/** The JSON of the document. */
export const writeDocument = (fields: DocumentFields): string => {
  const drawn = fields.image === null;
  const image = fields.image ?? drawPicture(fields.name);
  return JSON.stringify({
    name: fields.name,
    symbol: fields.symbol,
    description: fields.description,
    image,
    animation_url: fields.animationUrl ?? undefined,
    external_url: fields.externalUrl ?? undefined,
    attributes: fields.attributes,
    ...(drawn ? { properties: { files: [{ uri: image, type: "image/svg+xml" }], category: "image" } } : {}),
  });
};

/**
 * The address of a document by its content (an IPFS CID of the raw bytes): 66 characters, the same in every run, and no
 * host that has to be there.
 */
export const documentUri = (json: string): string =>
  `ipfs://b${base32(Buffer.concat([cidHead, hash("sha256", json, "buffer")]))}`;

/** Version 1, raw bytes, sha2-256 of 32 bytes. */
const cidHead = Buffer.from([1, 0x55, 0x12, 32]);
const base32Digits = "abcdefghijklmnopqrstuvwxyz234567";

const base32 = (bytes: Uint8Array): string => {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += base32Digits[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + base32Digits[(held << (5 - bits)) & 31];
};

const CIRCLES = 3;

/** A small SVG as a data URI: colors and places follow from the name. */
export const drawPicture = (name: string): string => {
  const bytes = hash("sha256", `picture of ${name}`, "buffer");
  const shapes = Array.from({ length: CIRCLES }, (_, index) => {
    const [x, y, radius, hue] = bytes.subarray(4 * index + 2) as unknown as [number, number, number, number];
    return `<circle cx='${x % 64}' cy='${y % 64}' r='${6 + (radius % 22)}' fill='hsl(${(hue * 2) % 360} 80% 60%)' opacity='.8'/>`;
  });
  const context = `<rect width='64' height='64' fill='hsl(${((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % 360} 45% 25%)'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>${context}${shapes.join("")}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll("%", "%25").replaceAll("#", "%23").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll(" ", "%20")}`;
};
