// A slot that an answer must have reached is taken in the same two places as by the main contract.

import { encodeAddress } from "@lamplight/codecs";
import { isLamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";
import { key, tokenAccount, wallet, whole, withStore } from "../test/token-store.ts";
import { dasMethods } from "./das-methods.ts";

const address = encodeAddress(wallet);

/** Every method with options, and what it needs next to them. */
const methods: Readonly<Record<string, object>> = {
  getAsset: { id: address },
  getAssets: { ids: [address] },
  getAssetBatch: { ids: [address] },
  getAssetsByOwner: { ownerAddress: address },
  getAssetsByCreator: { creatorAddress: address },
  getAssetsByAuthority: { authorityAddress: address },
  getAssetsByGroup: { groupKey: "collection", groupValue: address },
  searchAssets: { ownerAddress: address },
  getTokenAccounts: { ownerAddress: address },
};

const places: readonly ((minContextSlot: number) => object)[] = [
  (minContextSlot) => ({ minContextSlot }),
  (minContextSlot) => ({ options: { minContextSlot } }),
];

test.each(Object.entries(methods))("%s takes minContextSlot at the top, and inside options", (name, own) =>
  withStore([tokenAccount(key(10), { mint: key(2), amount: 1n })], { coverage: whole }, async (ask) => {
    expect(dasMethods.names).toContain(name);
    const outcome = (params: object): Promise<unknown> =>
      ask(name, params).catch((error: unknown) => (isLamplightError(error) ? error.code : error));
    const answer = await outcome(own);
    for (const slotIn of places) {
      expect(await outcome({ ...own, ...slotIn(1) })).toEqual(answer);
      expect(await outcome({ ...own, ...slotIn(2) })).toBe("ACCOUNT__SLOT_NOT_REACHED");
    }
  }),
);
