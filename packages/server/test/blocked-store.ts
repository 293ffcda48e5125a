import type { ReadView, ViewSource } from "@lamplight/core";
import type { SmallStore } from "./small-store.ts";

/** A real store whose searches keep their view open until `held` is called. */
export const createBlockedStore = ({ reader }: SmallStore) => {
  const held: (() => void)[] = [];
  const viewSource: ViewSource = {
    openView: async (commitment): Promise<ReadView> => {
      const view = await reader.openView(commitment);
      const searchAssets: ReadView["search"]["searchAssets"] = async (...query) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return view.search.searchAssets(...query);
      };
      return new Proxy(view, {
        get: (target, name) => {
          const value: unknown = name === "search" ? { searchAssets } : Reflect.get(target, name, target);
          return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        },
      });
    },
  };
  return { viewSource, held };
};
