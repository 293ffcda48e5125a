// The member `content` as text: an asset's own document holds what the chain records of it. The part that its off-chain
// document adds is stored once for all assets that name it, and joined when an asset is read.

import type { Asset, AssetContent, AssetLinks, AssetMetadata } from "./types.ts";
import type { JsonText } from "../../../core/src/json/json-text.ts";
import { memberStart } from "../../../core/src/json/member-texts.ts";
import { listJson, objectWriter, plainText } from "../../../core/src/json/object-writer.ts";
import { writeJson } from "../../../core/src/json/write-json.ts";
import { partEnd } from "./content-parts.ts";

const schema = "https://schema.metaplex.com/nft1.0.json";

/** Content of an asset that is stored on chain. */
export interface ChainContent {
  readonly name: string;
  readonly symbol: string;
  readonly jsonUri: string;
  /** Wire name; null leaves the member out. */
  readonly tokenStandard: string | null;
}

/** The texts before files, metadata, links, and the rest. */
export const contentJoints = {
  files: `,${memberStart<AssetContent>("files")}`,
  metadata: `,${memberStart<AssetContent>("metadata")}{`,
  links: `},${memberStart<AssetContent>("links")}`,
  rest: "}",
} as const;

const schemaText = plainText(schema);
const noFiles = listJson<never>([]);
const noLinks = writeJson<AssetLinks>({});

const beforeUri =
  `,${memberStart<Asset>("content")}{${memberStart<AssetContent>("$schema")}${schemaText}` +
  `,${memberStart<AssetContent>("json_uri")}`;
// Quotes inside of JSON strings are escaped: neither text occurs within one.
const filesPlace = contentJoints.files + noFiles + contentJoints.metadata;
const linksPlace = contentJoints.links + noLinks + contentJoints.rest;

const writeContent = objectWriter<AssetContent>()(
  "$schema",
  "json_uri",
  "files",
  "metadata",
  "links",
  "truncated",
);
const writeMetadata = objectWriter<AssetMetadata>()(
  "attributes",
  "description",
  "name",
  "symbol",
  "token_standard",
);

/** The member `content` of an asset without an off-chain document. */
export const contentText = ({
  jsonUri,
  name,
  symbol,
  tokenStandard,
}: ChainContent): JsonText<AssetContent> => {
  const metadata = writeMetadata(
    undefined,
    undefined,
    writeJson<string>(name),
    writeJson<string>(symbol),
    tokenStandard === null ? undefined : writeJson<string>(tokenStandard),
  );
  return writeContent(schemaText, writeJson<string>(jsonUri), noFiles, metadata, noLinks, undefined);
};

/** The URI in the own document of an asset; "" = none. */
export const jsonUriOf = (document: string): string => {
  const start = document.indexOf(beforeUri);
  if (start === -1) return "";
  const text = document.slice(start + beforeUri.length, document.indexOf(filesPlace, start));
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
};

/**
 * The same of a document with a character for each byte: that URI is spelt in bytes too where it is not all ASCII, and
 * has to be decoded.
 */
export const jsonUriOfBytes = (document: string): string => {
  const start = document.indexOf(beforeUri);
  if (start === -1) return "";
  const text = document.slice(start + beforeUri.length + 1, document.indexOf(filesPlace, start) - 1);
  if (isPlainAscii.test(text)) return text;
  return JSON.parse(`"${Buffer.from(text, "latin1").toString()}"`) as string;
};

const isPlainAscii = /^[ -[\]-~]*$/u;

/** Where the parts of an off-chain document go in an own document; also in one with a character for each byte. */
export interface ContentPlaces {
  readonly filesAt: number;
  readonly metadataAt: number;
  readonly linksAt: number;
  readonly restAt: number;
}

export const contentPlaces = (document: string): ContentPlaces => {
  const filesAt = document.indexOf(filesPlace);
  const metadataAt = filesAt + filesPlace.length;
  const linksAt = document.indexOf(linksPlace, metadataAt);
  return { filesAt, metadataAt, linksAt, restAt: linksAt + linksPlace.length };
};

/** An asset's own document, or its `content`, with what its off-chain document adds. */
export const joinContent = (document: string, parts: string): string => {
  const [files, metadata, links, truncated = ""] = parts.split(partEnd) as [string, string, string, string?];
  const { filesAt, metadataAt, linksAt, restAt } = contentPlaces(document);
  const joint = contentJoints;
  return (
    `${document.slice(0, filesAt)}${joint.files}${files}${joint.metadata}${metadata}` +
    `${document.slice(metadataAt, linksAt)}${joint.links}${links}${truncated}${joint.rest}${document.slice(restAt)}`
  );
};
