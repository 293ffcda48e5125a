import { CallRequest, createMethodSettings, parseExact, type Profile } from "@lamplight/core";
import { apiVersion, type FurtherContract } from "@lamplight/server/command";
import { nameOfStore } from "@lamplight/runtime";
import type { Answer, Endpoint } from "@lamplight/sources/endpoint";
import { notesOf, StoreViews } from "./store-views.ts";

/** The methods over a store, without a server. @throws LamplightError of the STORE family */
export const openStoreEndpoint = async (
  url: string,
  profile: Profile,
  methods: readonly FurtherContract[],
): Promise<Endpoint> => {
  const store = await StoreViews.open(url, methods);
  const settings = createMethodSettings({ apiVersion });
  return {
    name: nameOfStore(url),
    call: async (method, params): Promise<Answer> => {
      const viewSource = await store.sourceFor(method);
      const request = new CallRequest({ viewSource, settings, profile });
      try {
        const asked = await store.ask(method, params, request);
        const outcome = asked.ok ? { ok: true as const, result: parseExact(asked.text) } : asked;
        const [slot] = request.slots();
        return { outcome, slot: slot === undefined ? null : BigInt(slot), notes: notesOf(request) };
      } finally {
        request.close();
      }
    },
    close: () => store.close(),
  };
};
