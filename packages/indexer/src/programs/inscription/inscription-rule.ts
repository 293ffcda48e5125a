// LibrePlex inscriptions: shown with the mint (or other asset) they name as their root. A record counts only at the
// address derived from its root: content accounts of the same program hold what their writer put there.

import {
  decodeLibreplexInscription,
  encodeAddress,
  isLibreplexRecordAddress,
  type LibreplexInscription,
  programAddresses,
} from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import type { JsonMembers } from "../../record/asset-record.ts";
import { type AccountRule, claim, type RecordAddition } from "../../rules/rules.ts";

export const inscriptionRule: AccountRule = {
  name: "inscription",
  programs: [programAddresses.inscriptions],
  claim: (account) => {
    const root = decodeRecord(account)?.root;
    if (root === undefined) return null;
    return claim({ assets: [root], links: [{ role: "inscription", target: root }] });
  },
};

/** Gives assets of every kind their member `inscription`. */
export const inscriptionAddition: RecordAddition = {
  name: "inscription",
  add: (view, record) => {
    for (const { closed, current } of view.linked("inscription")) {
      const inscription = closed ? null : decodeRecord(current);
      if (inscription === null) continue;
      const updatedSlot = Math.max(record.updatedSlot, current.slot);
      return { ...record, inscription: shapeInscription(inscription), updatedSlot };
    }
    return record;
  },
};

const decodeRecord = ({ address, data }: Account): LibreplexInscription | null => {
  const inscription = decodeLibreplexInscription(data);
  return inscription === null || !isLibreplexRecordAddress(address, inscription.root) ? null : inscription;
};

const shapeInscription = (inscription: LibreplexInscription): JsonMembers => ({
  authority: encodeAddress(inscription.authority),
  root: encodeAddress(inscription.root),
  inscription_data: encodeAddress(inscription.inscriptionData),
  content: inscription.contentType,
  encoding: inscription.encoding,
  order: inscription.order,
  size: inscription.size,
  validation_hash: inscription.validationHash,
});
