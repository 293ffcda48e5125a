import { type JsonValue, writeJson } from "@lamplight/core";
import { type ChainContent, mergeContent, schema } from "./merge-content.ts";

/** The member `content` as text. Most assets have no document here: theirs is put together directly. */
export const contentText = (chain: ChainContent, document: JsonValue | null): string => {
  if (document !== null) return writeJson(mergeContent(chain, document));
  const standard = chain.tokenStandard === null ? "" : `,"token_standard":${writeJson(chain.tokenStandard)}`;
  return (
    `{"$schema":"${schema}","json_uri":${writeJson(chain.jsonUri)},"files":[]` +
    `,"metadata":{"name":${writeJson(chain.name)},"symbol":${writeJson(chain.symbol)}${standard}},"links":{}}`
  );
};
