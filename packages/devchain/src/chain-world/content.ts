import { type AddressBytes } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";
import { type DocumentFields, documentUri, writeDocument } from "../parts/document.ts";
import type { WorldContext } from "./world-context.ts";
import { invalid, readAddress, readText, readWhole } from "../input.ts";
import type { Attributes, ContentInput, CreatorInput } from "./mint-input.ts";

/** Name, symbol and address of the document, with what the document says. */
export interface Content extends DocumentFields {
  readonly uri: string;
}

/** Limits of the Token Metadata program in bytes; the other kinds keep to them as well. */
const textBytesMax = { name: 32, symbol: 10, uri: 200 };

const noContent: Omit<Content, "name" | "uri"> = {
  symbol: "",
  description: "",
  image: null,
  animationUrl: null,
  externalUrl: null,
  attributes: [],
};

/** The content of a new asset, or of one whose content was `before`; its document is kept by the chain. */
export const readContent = (
  context: WorldContext,
  input: ContentInput,
  fallback: { readonly name: string; readonly symbol: string },
  before: Content | null = null,
): Content => {
  const name = readText(input.name ?? before?.name ?? fallback.name, "name", textBytesMax.name);
  const symbol = readText(input.symbol ?? before?.symbol ?? fallback.symbol, "symbol", textBytesMax.symbol);
  const known = before ?? { ...noContent, description: `${name}, minted on a test chain` };
  const fields: DocumentFields = {
    name,
    symbol,
    description: input.description ?? known.description,
    image: input.image ?? known.image,
    animationUrl: input.animationUrl ?? known.animationUrl,
    externalUrl: input.externalUrl ?? known.externalUrl,
    attributes:
      input.attributes === undefined ? known.attributes : readAttributes(input.attributes, "attributes"),
  };
  const json = input.document === undefined ? writeDocument(fields) : JSON.stringify(input.document);
  const uri = readText(input.uri ?? documentUri(json), "uri", textBytesMax.uri);
  if (input.document !== null) context.putDocument(uri, json);
  return { ...fields, uri };
};

const readAttributes = (given: Attributes, property: string): Content["attributes"] => {
  if (typeof given !== "object" || given === null) throw invalid(property, "must be an object or a list");
  if (!Array.isArray(given)) {
    return Object.entries(given as Readonly<Record<string, string | number>>).map(([trait_type, value]) => ({
      trait_type,
      value,
    }));
  }
  for (const [index, one] of given.entries()) {
    if (typeof one?.trait_type !== "string")
      throw invalid(`${property}[${index}].trait_type`, "must be text");
  }
  return given as Content["attributes"];
};

export interface ReadCreator {
  readonly address: AddressBytes;
  readonly verified: boolean;
  readonly share: number;
}

const CREATORS_MAX = 5;

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const readCreators = (
  given: readonly CreatorInput[] | undefined,
  updateAuthority: AddressBytes,
): readonly ReadCreator[] => {
  if (given === undefined) return [{ address: updateAuthority, verified: true, share: 100 }];
  if (given.length > CREATORS_MAX) throw invalid("creators", `must be at most ${CREATORS_MAX}`);
  const creators = given.map(({ address, share, verified }, index) => {
    const bytes = readAddress(address, `creators[${index}].address`);
    return {
      address: bytes,
      share: readWhole(share, `creators[${index}].share`, 0, 100),
      verified: verified ?? sameBytes(bytes, updateAuthority),
    };
  });
  const sum = creators.reduce((total, { share }) => total + share, 0);
  if (creators.length > 0 && sum !== 100)
    throw invalid("creators", `must have shares that sum to 100, not ${sum}`);
  return creators;
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const readBasisPoints = (given: number | undefined, fallback: number): number =>
  readWhole(given ?? fallback, "sellerFeeBasisPoints", 0, 10_000);
