// The member `content` as text: an asset's own document holds what the chain records of it. What its off-chain document
// adds is stored once for all assets that name it, and joined when an asset is read.

import { parseForeignJson } from "../json/foreign-json.ts";
import { writeJson } from "../json/write-json.ts";
import { isJsonObject, type JsonObject } from "./json-shapes.ts";
import { type ChainContent, mergeContent, schema } from "./merge-content.ts";

const beforeUri = `,"content":{"$schema":"${schema}","json_uri":`;
// Quotes inside of JSON strings are escaped: neither text occurs within one.
const noFiles = ',"files":[],"metadata":{';
const noLinks = '},"links":{}}';

/** The member `content` of an asset without an off-chain document. */
export const contentText = ({ jsonUri, name, symbol, tokenStandard }: ChainContent): string => {
  const standard = tokenStandard === null ? "" : `,"token_standard":${writeJson(tokenStandard)}`;
  return (
    `{"$schema":"${schema}","json_uri":${writeJson(jsonUri)}${noFiles}` +
    `"name":${writeJson(name)},"symbol":${writeJson(symbol)}${standard}${noLinks}`
  );
};

/** The URI in the own document of an asset; "" = none. */
export const jsonUriOf = (document: string): string => {
  const start = document.indexOf(beforeUri);
  if (start === -1) return "";
  const text = document.slice(start + beforeUri.length, document.indexOf(noFiles, start));
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
};

/**
 * The same of a document with a character for each byte: that URI is spelt in bytes too where it is not all ASCII, and
 * has to be decoded.
 */
export const jsonUriOfBytes = (document: string): string => {
  const start = document.indexOf(beforeUri);
  if (start === -1) return "";
  const text = document.slice(start + beforeUri.length + 1, document.indexOf(noFiles, start) - 1);
  if (isPlainAscii.test(text)) return text;
  return JSON.parse(`"${Buffer.from(text, "latin1").toString()}"`) as string;
};

const isPlainAscii = /^[ -[\]-~]*$/u;

/** Finished JSON has no line breaks. */
export const partEnd = "\n";
/** A fourth part: what the others leave out is said at the end of `content`. */
const truncatedPart = ',"truncated":true';

/** What an off-chain document adds to `content`, part by part as finished text. */
export interface ContentParts {
  readonly files: string;
  /** Members of an object, each with a comma behind it. */
  readonly metadata: string;
  readonly links: string;
}

export const splitParts = (parts: string): ContentParts => {
  const [files, metadata, links] = parts.split(partEnd) as [string, string, string];
  return { files, metadata, links };
};

/** Parts that leave something out. */
export const truncatedParts = ({ files, metadata, links }: ContentParts): string =>
  [files, metadata, links, truncatedPart].join(partEnd);
const noChain: ChainContent = { name: "", symbol: "", jsonUri: "", tokenStandard: null };

/**
 * What an off-chain document adds to `content`, as finished text for `joinContent`: files, members of the metadata and
 * links. Null for text that is no JSON object within the bounds of foreign JSON.
 */
export const contentParts = (json: string): string | null => {
  const document = parseForeignJson(json);
  if (document === undefined || !isJsonObject(document)) return null;
  const { files, metadata, links } = mergeContent(noChain, document) as JsonObject;
  const { attributes, description } = metadata as JsonObject;
  const members = writeJson({ attributes, description });
  return [writeJson(files!), members === "{}" ? "" : `${members.slice(1, -1)},`, writeJson(links!)].join(
    partEnd,
  );
};

/** Where the parts of an off-chain document go in an own document; also in one with a character for each byte. */
export interface ContentPlaces {
  readonly filesAt: number;
  readonly metadataAt: number;
  readonly linksAt: number;
  readonly restAt: number;
}

export const contentPlaces = (document: string): ContentPlaces => {
  const filesAt = document.indexOf(noFiles);
  const metadataAt = filesAt + noFiles.length;
  const linksAt = document.indexOf(noLinks, metadataAt);
  return { filesAt, metadataAt, linksAt, restAt: linksAt + noLinks.length };
};

/** What stands before files, metadata, links, and the rest. */
export const contentJoints = {
  files: ',"files":',
  metadata: ',"metadata":{',
  links: '},"links":',
  rest: "}",
} as const;

/** An asset's own document with what its off-chain document adds. */
export const joinContent = (document: string, parts: string): string => {
  const [files, metadata, links, truncated = ""] = parts.split(partEnd) as [string, string, string, string?];
  const { filesAt, metadataAt, linksAt, restAt } = contentPlaces(document);
  const joint = contentJoints;
  return (
    `${document.slice(0, filesAt)}${joint.files}${files}${joint.metadata}${metadata}` +
    `${document.slice(metadataAt, linksAt)}${joint.links}${links}${truncated}${joint.rest}${document.slice(restAt)}`
  );
};
