/** A module that turns accounts into rows for `BulkLoad.insertRows`, to be loaded by a thread: exports `encodeBatch`. */
export const rowEncoderUrl: string = new URL(
  `./row-encoder${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
).href;
