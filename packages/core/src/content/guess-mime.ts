/** Media types by extension, those that occur in asset JSON. */
const types: Readonly<Record<string, string>> = {
  avif: "image/avif",
  flac: "audio/flac",
  gif: "image/gif",
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
};

/** The query `?ext=png`, a habit of Arweave links, says what the path cannot. */
const extensionInQuery = /[?&]ext=([a-z0-9]+)/i;
const extensionOfPath = /\.([a-z0-9]+)$/i;

/** Media type by the extension of a URI's path or its `ext` parameter; null when neither reports. */
export const guessMime = (uri: string): string | null => {
  const path = uri.split(/[?#]/, 1)[0] ?? "";
  const extension = extensionInQuery.exec(uri)?.[1] ?? extensionOfPath.exec(path)?.[1];
  const type = extension?.toLowerCase() ?? "";
  return Object.hasOwn(types, type) ? (types[type] ?? null) : null;
};
