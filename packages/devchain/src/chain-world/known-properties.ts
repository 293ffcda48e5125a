// Properties that inputs may have. A slip of the pen such as `ownr` is refused: its default would hide it.

import { nearestName } from "@lamplight/core";
import type { InscriptionInput } from "./inscriptions.ts";
import { invalid } from "../input.ts";
import type {
  CollectionInput,
  ContentInput,
  CreatorInput,
  FreezeChoice,
  HoldingChoice,
  MintInput,
  UpdateInput,
} from "./mint-input.ts";

/** Refuses a list of names that lacks a property of the type. */
type Complete<Input, Names extends readonly unknown[]> = [Exclude<keyof Input, Names[number]>] extends [never]
  ? unknown
  : { readonly missing: Exclude<keyof Input, Names[number]> };

/**
 * A check that an input has no property but the named ones, which are all of its type.
 *
 * @throws LamplightError `CHAIN__INVALID_INPUT`, which names the property
 */
export const onlyProperties =
  <Input extends object>() =>
  <const Names extends readonly (keyof Input & string)[]>(...names: Names & Complete<Input, Names>) =>
  (input: Input): void => {
    const known: readonly string[] = names;
    const unknown = Object.keys(input).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const nearest = nearestName(unknown, known);
    throw invalid(
      unknown,
      nearest === undefined ? "is no property" : `is no property; did you mean ${nearest}?`,
    );
  };

const content = [
  "name",
  "symbol",
  "description",
  "attributes",
  "image",
  "animationUrl",
  "externalUrl",
  "uri",
  "document",
] as const satisfies readonly (keyof ContentInput)[];

export const checkMint = onlyProperties<MintInput>()(
  ...content,
  "kind",
  "owner",
  "collection",
  "collectionVerified",
  "group",
  "updateAuthority",
  "creators",
  "sellerFeeBasisPoints",
  "primarySaleHappened",
  "mutable",
  "delegate",
  "frozen",
  "uses",
  "maxSupply",
  "ruleSet",
  "plugins",
  "externalPlugins",
  "extensions",
  "additionalMetadata",
  "tokenProgram",
  "supply",
  "decimals",
  "mintAuthority",
  "freezeAuthority",
  "tree",
);

export const checkCollection = onlyProperties<CollectionInput>()(
  ...content,
  "kind",
  "updateAuthority",
  "sellerFeeBasisPoints",
  "creators",
  "plugins",
  "externalPlugins",
  "maxSize",
);

export const checkUpdate = onlyProperties<UpdateInput>()(
  ...content,
  "creators",
  "sellerFeeBasisPoints",
  "primarySaleHappened",
  "mutable",
  "updateAuthority",
);

export const checkCreator = onlyProperties<CreatorInput>()("address", "share", "verified");
export const checkHolding = onlyProperties<HoldingChoice>()("from", "amount");
export const checkFreeze = onlyProperties<FreezeChoice>()("from", "amount", "by");
export const checkInscription = onlyProperties<InscriptionInput>()("contentType", "content");
export const checkTree = onlyProperties<{ readonly depth?: number }>()("depth");
