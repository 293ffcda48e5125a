/** The module of the `BulkEncoder`, to be loaded by name into threads. */
export const rowEncoderUrl: string = new URL(
  `./row-encoder${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
).href;
