// Explains an asset: derives it again from the accounts around it, and compares it with the stored one.

import { encodeAddress } from "@lamplight/codecs";
import {
  type Asset,
  inheritable,
  joinAsset,
  parseExact,
  type ReadView,
  type StoredAsset,
} from "@lamplight/core";
import {
  type AssetExplanation,
  type AssetSource,
  differingMembers,
  explainAsset,
  readAssetAtView,
  statesAtView,
} from "@lamplight/indexer";
import { compareValues } from "../diff/compare-values.ts";
import { accountFacts, type Facts, plainFacts } from "./read-facts.ts";

/** One account, leaf record or shared record, and what of the answer it makes. */
export interface ExplainedPart {
  /** Words that say what it is to the asset. */
  readonly part: string;
  /** Address or URI. */
  readonly from: string;
  /** Rule that reads it; null where it is not derived but joined when an asset is read, or no rule reads it. */
  readonly rule: string | null;
  readonly found: Facts;
  /** JSON pointers into the document; null = the asset itself, with all that no other part makes. */
  readonly makes: readonly string[] | null;
}

/** One place in which the stored asset is not what is derived. */
export interface AssetDifference {
  /** JSON pointer into the document, or below `/extras` or `/facts`. */
  readonly at: string;
  /** Undefined = absent. */
  readonly stored: unknown;
  readonly derived: unknown;
}

interface DerivedAsset {
  /** Its name in the rule book. */
  readonly kind: string;
  readonly createdSlot: number;
  readonly updatedSlot: number;
  /** Exact JSON, without what is joined. */
  readonly document: unknown;
}

export interface Derivation {
  /** Null where nothing says that there is an asset. */
  readonly asset: DerivedAsset | null;
  /** Accounts and leaf records. */
  readonly parts: readonly ExplainedPart[];
  /** Parts in addition to these. */
  readonly unlisted: number;
  /** Links that no account has. */
  readonly unlinked: readonly string[];
  /** Off-chain document and collection: joined with the stored document when it is read. */
  readonly joined: readonly ExplainedPart[];
  /** Empty = the stored asset is the same. */
  readonly differences: readonly AssetDifference[];
}

type JoinedFrom = Parameters<typeof joinAsset>[0];

/** @param found - what the call read */
export const deriveAgain = async (
  id: Uint8Array,
  view: ReadView,
  found: JoinedFrom | null,
): Promise<Derivation> => {
  const explanation = await explainAsset(id, statesAtView(view));
  const { asset, assetKind, sources, unlisted, unlinked } = explanation;
  const stored = await readAssetAtView(view, id);
  return {
    asset:
      asset === null
        ? null
        : {
            kind: assetKind ?? "none",
            createdSlot: asset.createdSlot,
            updatedSlot: asset.updatedSlot,
            document: parseExact(asset.document),
          },
    parts: sources.map((source) => partOf(source, explanation)),
    unlisted,
    unlinked,
    joined: found === null ? [] : joinedParts(found),
    differences: differencesOf(stored, asset),
  };
};

const recordWords = {
  leaf: "leaf in tree",
  metadata: "leaf metadata in tree",
  end: "end of leaf in tree",
} as const;

const roleWords = { self: "own address", part: "edition", other: "collection" } as const;

const partOf = (source: AssetSource, { asset }: AssetExplanation): ExplainedPart => {
  const { rule, without } = source;
  const makes = madeBy(asset, without);
  if (source.kind === "leaf") {
    const { record, tree, leafIndex, seq, slot } = source;
    return {
      part: recordWords[record],
      from: encodeAddress(tree),
      rule,
      found: { leafIndex, seq, slot },
      makes,
    };
  }
  const { role, address, state, stands } = source;
  const isClosed = state !== null && state.current.lamports === 0n;
  return {
    part: role === "self" || role === "part" || role === "other" ? roleWords[role] : role,
    from: encodeAddress(address),
    rule,
    found:
      state === null
        ? null
        : {
            ...(isClosed
              ? { closedAtSlot: state.current.slot }
              : (accountFacts(state.current) as Record<string, Facts>)),
            lastLife: stands === "lastLife" ? accountFacts(state.lastLife) : undefined,
          },
    makes: stands === "none" ? [] : makes,
  };
};

const madeBy = (asset: Asset | null, without: Asset | null): readonly string[] | null => {
  if (asset === null) return [];
  if (without === null) return null;
  return placesOf(valueOf(asset), valueOf(without));
};

/** Pointers to what differs, each list as one place. */
const placesOf = (ours: unknown, others: unknown): readonly string[] => [
  ...new Set(compareValues(ours, others).map(({ at }) => at.replace(/\/\d+(?:\/.*)?$/u, ""))),
];

/** Document and extras as one value. */
const valueOf = ({ document, extras }: Pick<Asset, "document" | "extras">): object => {
  const value = parseLoosely(document);
  return {
    ...(typeof value === "object" ? value : { document: value }),
    extras: parseLoosely(extras ?? "{}"),
  };
};

/** JSON as `parseExact` of core gives it. Text that is no JSON stays text. */
export const parseLoosely = (text: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
};

const joinedParts = ({ own, content, collection }: JoinedFrom): readonly ExplainedPart[] => {
  const makes = (shared: Omit<JoinedFrom, "own">): readonly string[] =>
    placesOf(valueOf(joinLoosely({ own, ...shared })), valueOf(own));
  const { content: ownContent, extras } = valueOf(own) as {
    readonly content?: { readonly json_uri?: string };
    readonly extras: { readonly inherits?: { readonly from: string; readonly facts: number } };
  };
  const uri = ownContent?.json_uri ?? "";
  const { inherits } = extras;
  const parts: ExplainedPart[] = [];
  if (uri !== "")
    parts.push({
      part: "off-chain document",
      from: uri,
      rule: null,
      found: content === null ? null : { bytes: Buffer.byteLength(content.parts ?? "") },
      makes: makes({ content, collection: null }),
    });
  if (inherits !== undefined)
    parts.push({
      part: "inherited from collection",
      from: inherits.from,
      rule: null,
      found:
        collection === null
          ? null
          : {
              facts: Object.entries(inheritable).flatMap(([name, bit]) =>
                (Number(inherits.facts) & bit) === 0 ? [] : [name],
              ),
            },
      makes: makes({ content: null, collection }),
    });
  return parts;
};

/** A damaged document is not joined. */
const joinLoosely = (parts: JoinedFrom): StoredAsset => {
  try {
    return joinAsset(parts);
  } catch {
    return parts.own;
  }
};

const differencesOf = (stored: Asset | null, derived: Asset | null): readonly AssetDifference[] => {
  if (stored === null && derived === null) return [];
  if (stored === null || derived === null)
    return [
      {
        at: "",
        stored: stored === null ? undefined : valueOf(stored),
        derived: derived === null ? undefined : valueOf(derived),
      },
    ];
  const differing = differingMembers(stored, derived);
  const inDocument = compareValues(valueOf(stored), valueOf(derived)).map(({ at, ours, theirs }) => ({
    at,
    stored: ours,
    derived: theirs,
  }));
  const isOtherText = inDocument.length === 0 && differing.some(isText);
  return [
    ...inDocument,
    ...(isOtherText ? [{ at: "", stored: stored.document, derived: derived.document }] : []),
    ...differing
      .filter((name) => !isText(name))
      .map((name) => ({
        at: `/facts/${name}`,
        stored: plainFacts(stored[name as keyof Asset]),
        derived: plainFacts(derived[name as keyof Asset]),
      })),
  ];
};

const isText = (member: string): boolean => member === "document" || member === "extras";
