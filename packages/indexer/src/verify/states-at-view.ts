import { sameBytes } from "@lamplight/codecs";
import type { AddressBytes, Asset, ReadView } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { addressKey } from "../engine/address-map.ts";
import type { Path } from "../engine/delta.ts";
import { layer, newest } from "../engine/layer.ts";
import type { StateReader } from "../engine/state-reader.ts";
import { OverlayView } from "../overlay/overlay-view.ts";

/** The view of the finalized store that a view lies over: itself where it has no slots above. */
export const finalizedViewOf = (view: ReadView): ReadView =>
  view instanceof OverlayView ? view.finalized : view;

/** The states that a view answers from, as deriving reads them. */
export const statesAtView = (view: ReadView): StateReader => layer(indexOf(view), pathOf(view));

/** An asset as it is stored at a view, with its facts; null where none is. */
export const readAssetAtView = async (view: ReadView, id: AddressBytes): Promise<Asset | null> => {
  const key = addressKey(id);
  const changed = newest(pathOf(view), ({ assetChanges }) => assetChanges.get(key));
  if (changed !== undefined) return changed.asset;
  const [facts = null] = await view.terms.readFacts([id]);
  if (facts === null) return null;
  const [stored] = await indexOf(view).readAssetPage(facts.ordinal, 1);
  return stored !== undefined && sameBytes(stored.id, id) ? stored : null;
};

const pathOf = (view: ReadView): Path => (view instanceof OverlayView ? view.path : []);

const indexOf = (view: ReadView): NonNullable<ReadView["index"]> => {
  const { index } = finalizedViewOf(view);
  if (index === undefined) throw brokenInvariant("an asset is derived again from a view without its store");
  return index;
};
