import { expect, onTestFinished, test } from "vitest";
import { account, key } from "../../test/encode-accounts.ts";
import { openTestStore } from "../../test/open-test-store.ts";
import { createIndexer } from "../indexer.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import { readingOnce, storedData } from "./stored-data.ts";

test("large data that deriving read are not read again", async () => {
  const { store, close } = openTestStore();
  onTestFinished(close);
  const [large, other] = [key(1), key(2)];
  const data = new Uint8Array(SHARED_DATA_BYTES_MIN).map((_, index) => index % 251);
  const accounts = [large, other].map((address) => account(address, key(9), data, 5));
  await createIndexer(store).applyAccounts(accounts, { slot: 5, blockhash: null });
  const asked: Uint8Array[] = [];
  const read = readingOnce({
    readAccountStates: (addresses) => {
      asked.push(...addresses);
      return store.readAccountStates(addresses);
    },
    readLinks: store.readLinks.bind(store),
    readLinkPage: store.readLinkPage.bind(store),
    readLedger: store.readLedger.bind(store),
    readSeenSlots: store.readSeenSlots.bind(store),
  });
  const [state, missing] = await read.store.readAccountStates([large, key(3)]);
  expect(await read.data(large)).toBe(state!.current.data);
  expect(missing).toBeNull();
  expect(await read.data(other)).toEqual(data);
  expect(await read.data(key(3))).toBeNull();
  expect(asked).toEqual([large, key(3), other, key(3)]);
  expect(await storedData(store)(large)).toEqual(data);
});
