// Facts of an asset that its finished texts hold. Stores keep these texts apart from the columns of facts: reading the
// columns, too, would be a second row for each asset of a page. So code looks for a fact where the writer puts it. The
// functions that know such a place are in this file.

import { encodeAddress } from "@lamplight/codecs";
import type { Asset } from "@lamplight/contract";
import type { AssetInterface, Inheritance, StoredAsset } from "../domain/asset.ts";
import { sharingInterface } from "../domain/inherited-form.ts";
import type { JsonText } from "../json/json-text.ts";
import { memberStart } from "../json/member-texts.ts";
import { objectWriter, plainText } from "../json/object-writer.ts";

/** The first member of the extras of an asset that inherits. */
export interface InheritedFacts {
  /** Base58. */
  readonly from: string;
  /** Bits of `inheritable`. */
  readonly facts: number;
}

const writeInherits = objectWriter<InheritedFacts>()("from", "facts");

export const inheritanceText = ({ from, facts }: Inheritance): JsonText<InheritedFacts> =>
  writeInherits(plainText(encodeAddress(from)), facts);

/** The extras of an asset begin with this if it inherits, and only then. */
export const inheritsStart = `{${memberStart<{ inherits: InheritedFacts }>("inherits")}`;

const fromStart = `${inheritsStart}{${memberStart<InheritedFacts>("from")}"`;
const factsStart = `",${memberStart<InheritedFacts>("facts")}`;

type Extras = Pick<StoredAsset, "extras">;

export const isInheriting = ({ extras }: Extras): boolean => extras?.startsWith(inheritsStart) === true;

/** The collection that an asset takes facts from, base58; null = none. */
export const inheritsFrom = ({ extras }: Extras): string | null =>
  extras?.startsWith(fromStart) === true
    ? extras.slice(fromStart.length, extras.indexOf('"', fromStart.length))
    : null;

/** Bits of `inheritable`; 0 = it inherits nothing. */
export const inheritedFacts = ({ extras }: Extras): number =>
  extras?.startsWith(fromStart) === true
    ? Number.parseInt(extras.slice(extras.indexOf(factsStart, fromStart.length) + factsStart.length), 10)
    : 0;

type Document = Pick<StoredAsset, "document">;

const interfaceStart = (name: AssetInterface): string => `{${memberStart<Asset>("interface")}"${name}"`;
const sharingStart = interfaceStart(sharingInterface);
const leafStart = interfaceStart("V1_NFT");
const compressionStart = `,${memberStart<Asset>("compression")}{`;

/** Whether other assets may inherit from this one. */
export const isSharing = ({ document }: Document): boolean => document.startsWith(sharingStart);

/**
 * The tree in the document of a compressed asset. The last occurrence of the member counts, because off-chain JSON
 * before it may contain the same name; nothing after it comes from outside.
 */
export const treeOf = ({ document }: Document): string | null => {
  if (!document.startsWith(leafStart)) return null;
  const start = document.lastIndexOf(compressionStart);
  const compression = document.slice(start, document.indexOf("}", start));
  if (start < 0 || !compression.includes('"compressed":true')) return null;
  return /"tree":"(\w+)"/u.exec(compression)?.[1] ?? null;
};
