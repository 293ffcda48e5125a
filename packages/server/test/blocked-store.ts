import type { ReadView, ViewSource } from "@lamplight/core";
import type { SmallStore } from "./small-store.ts";

/** A real store whose searches keep their view open until `held` is called. */
export const createBlockedStore = ({ reader }: SmallStore) => {
  const held: (() => void)[] = [];
  const viewSource: ViewSource = {
    openView: async (commitment): Promise<ReadView> => {
      const view = await reader.openView(commitment);
      const read: ReadView["read"] = async (asked) => {
        if (asked.kind === "search") await new Promise<void>((resolve) => held.push(resolve));
        return view.read(asked);
      };
      return new Proxy(view, {
        get: (target, name) => {
          const value: unknown = name === "read" ? read : Reflect.get(target, name, target);
          return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        },
      });
    },
  };
  return { viewSource, held };
};
