// LibrePlex inscriptions: shown with the mint (or other asset) they name as their root.

import {
  decodeLibreplexInscription,
  encodeAddress,
  type LibreplexInscription,
  programAddresses,
} from "@lamplight/codecs";
import { type JsonValue, isOlderVersion } from "@lamplight/core";
import {
  type AccountRule,
  type AssetView,
  claim,
  type KnownAccount,
  type RecordAddition,
} from "../rules/rules.ts";

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

/** Gives assets of every kind their member `inscription`. */
export const inscriptionAddition: RecordAddition = {
  name: "inscription",
  add: (view, record) => {
    const known = findInscription(view);
    const inscription = known === null ? null : decodeLibreplexInscription(known.current.data);
    if (known === null || inscription === null) return record;
    const updatedSlot = Math.max(record.updatedSlot, known.current.slot);
    return { ...record, inscription: shapeInscription(inscription), updatedSlot };
  },
};

/** Should several accounts name the same root, the one written last counts, ties going to the higher address. */
const findInscription = (view: AssetView): KnownAccount | null => {
  let newest: KnownAccount | null = null;
  for (const known of view.linked("inscription")) {
    if (known.closed) continue;
    if (newest === null || !isOlderVersion(known.current, newest.current)) newest = known;
  }
  return newest;
};

const shapeInscription = (inscription: LibreplexInscription): JsonValue => ({
  authority: encodeAddress(inscription.authority),
  root: encodeAddress(inscription.root),
  inscription_data: encodeAddress(inscription.inscriptionData),
  content: inscription.contentType,
  encoding: inscription.encoding,
  order: inscription.order,
  size: inscription.size,
  validation_hash: inscription.validationHash,
});
