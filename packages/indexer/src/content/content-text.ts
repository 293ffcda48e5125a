import { type JsonValue, writeJson } from "@lamplight/core";
import { isJsonObject, type JsonObject } from "./json-shapes.ts";
import { type ChainContent, mergeContent, schema } from "./merge-content.ts";

/** The member `content` as text: what `mergeContent` gives, put together directly. */
export const contentText = (chain: ChainContent, document: JsonValue | null): string => {
  const { files, metadata, links } = document === null ? noDocument : partsOf(document);
  const standard = chain.tokenStandard === null ? "" : `,"token_standard":${writeJson(chain.tokenStandard)}`;
  return (
    `{"$schema":"${schema}","json_uri":${writeJson(chain.jsonUri)},"files":${files}` +
    `,"metadata":{${metadata}"name":${writeJson(chain.name)},"symbol":${writeJson(chain.symbol)}${standard}},"links":${links}}`
  );
};

/** What comes from the document, the same for all assets that name it. */
interface DocumentParts {
  readonly files: string;
  /** Members that come before the name, each with its comma. */
  readonly metadata: string;
  readonly links: string;
}

/** Most assets have no document here. */
const noDocument: DocumentParts = { files: "[]", metadata: "", links: "{}" };

/** For as long as a document is kept (`ParsedDocuments`): writing megabytes again costs as much as parsing them. */
const known = new WeakMap<object, DocumentParts>();

const partsOf = (document: JsonValue): DocumentParts => {
  if (!isJsonObject(document)) return noDocument;
  const kept = known.get(document);
  if (kept !== undefined) return kept;
  const parts = writeParts(document);
  known.set(document, parts);
  return parts;
};

const noChain: ChainContent = { name: "", symbol: "", jsonUri: "", tokenStandard: null };

const writeParts = (document: JsonObject): DocumentParts => {
  const { files, metadata, links } = mergeContent(noChain, document) as {
    readonly [member: string]: JsonValue;
  };
  const { attributes, description } = metadata as JsonObject;
  const members = writeJson({ attributes, description });
  return {
    files: writeJson(files!),
    metadata: members === "{}" ? "" : `${members.slice(1, -1)},`,
    links: writeJson(links!),
  };
};
