/** The module that encodes rows for each shard, to be loaded by name into threads. */
export const rowEncoderUrl: string = new URL(
  `./row-encoder${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
).href;
