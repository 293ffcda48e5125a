import {
  callMethod,
  createMethodSettings,
  parseExact,
  type Profile,
  type ViewSource,
  RequestViews,
} from "@lamplight/core";
import { isLamplightError, toRpcError } from "@lamplight/errors";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { apiVersion } from "@lamplight/server/command";
import { nameOfStore, openStoreForReading } from "@lamplight/runtime";
import type { Answer, Endpoint, Outcome } from "./endpoint.ts";

/** The methods over a store, without a server. @throws LamplightError of the STORE family */
export const openStoreEndpoint = async (url: string, profile: Profile): Promise<Endpoint> => {
  const reader = await openStoreForReading(url);
  const settings = createMethodSettings({ apiVersion });
  let search: SearchLife | null = null;
  /** A search needs the index: without it only a small store can answer. */
  const viewSourceFor = async (method: string): Promise<ViewSource> => {
    if (method !== "searchAssets") return reader;
    search ??= await startSearchLife({ viewSource: reader, file: reader.searchFile });
    await search.filled;
    return search.viewSource;
  };
  const ask = async (method: string, params: unknown, views: RequestViews): Promise<Outcome> => {
    try {
      const text = await callMethod(method, params, { views, profile, settings });
      return { ok: true, result: parseExact(text) };
    } catch (error) {
      const face = isLamplightError(error) ? toRpcError(error, method) : null;
      if (face === null) throw error;
      const { code, message, data } = face;
      return { ok: false, error: { code, message, data } };
    }
  };
  return {
    name: nameOfStore(url),
    call: async (method, params): Promise<Answer> => {
      const views = new RequestViews(await viewSourceFor(method));
      try {
        const outcome = await ask(method, params, views);
        const [slot] = views.slots();
        const trees = views.incompleteTrees();
        return {
          outcome,
          slot: slot === undefined ? null : BigInt(slot),
          notes: [
            ...(views.isPartial ? ["coverage: partial"] : []),
            ...(trees.length === 0 ? [] : [`incomplete trees: ${trees.join(", ")}`]),
          ],
        };
      } finally {
        views.close();
      }
    },
    close: async () => {
      await search?.close();
      reader.close();
    },
  };
};
