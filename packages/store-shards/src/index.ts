export { openShardsLoad } from "./bulk/open-shards-load.ts";
export { openShardsExport } from "./copy/open-shards-export.ts";
export { openShardsImport } from "./copy/open-shards-import.ts";
export { openShardsDocuments } from "./documents/open-shards-documents.ts";
export { dropShardsStore } from "./drop-shards-store.ts";
export { parseShardsUrl } from "./location.ts";
export { openShardsReader, type ShardsReader } from "./reader/open-shards-reader.ts";
export { openShardsStore } from "./writer/open-shards-store.ts";
