// LibrePlex inscriptions: shown with the mint (or other asset) they name as their root.

import {
  decodeLibreplexInscription,
  encodeAddress,
  type LibreplexInscription,
  programAddresses,
} from "@lamplight/codecs";
import { type JsonValue, isOlderVersion, type Slot } from "@lamplight/core";
import { type AccountRule, type AssetView, claim, type KnownAccount } from "../rules/rules.ts";

/** The content accounts of the same program are bare bytes and say nothing. */
export const inscriptionRule: AccountRule = {
  name: "inscription",
  programs: [programAddresses.inscriptions],
  claim: (account) => {
    const inscription = decodeLibreplexInscription(account.data);
    if (inscription === null) return null;
    const { root } = inscription;
    return claim({ assets: [root], links: [{ role: "inscription", target: root }] });
  },
};

/** The member `inscription` of an asset, null when it has none. */
export const shapeInscription = (view: AssetView): JsonValue | null => {
  const known = findInscription(view);
  const inscription = known === null ? null : decodeLibreplexInscription(known.speaking.data);
  return inscription === null ? null : shape(inscription);
};

/** Slot of the inscription shown; 0 when there is none. */
export const inscriptionSlot = (view: AssetView): Slot => findInscription(view)?.current.slot ?? 0;

/** Should several accounts name the same root, the one written last counts, ties going to the higher address. */
const findInscription = (view: AssetView): KnownAccount | null => {
  let newest: KnownAccount | null = null;
  for (const known of view.linked("inscription")) {
    if (known.closed) continue;
    if (newest === null || !isOlderVersion(known.current, newest.current)) newest = known;
  }
  return newest;
};

const shape = (inscription: LibreplexInscription): JsonValue => ({
  authority: encodeAddress(inscription.authority),
  root: encodeAddress(inscription.root),
  inscription_data: encodeAddress(inscription.inscriptionData),
  content: inscription.contentType,
  encoding: inscription.encoding,
  order: inscription.order,
  size: inscription.size,
  validation_hash: inscription.validationHash,
});
