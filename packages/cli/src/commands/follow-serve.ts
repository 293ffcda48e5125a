import type { OpenLiveStore } from "@lamplight/server";
import { openStoreForWriting } from "@lamplight/server/command";
import { parseEndpoint } from "@lamplight/sources/rpc";
import { parseServerAddress } from "@lamplight/sources/yellowstone";
import type { ServeFollowFlags } from "./follow-flags.ts";
import { LiveFollowing } from "./follow-live.ts";
import { followText } from "./follow-metrics.ts";
import { RpcFollowing, type RpcFollowingOptions } from "./follow-rpc-live.ts";
import type { Following } from "./following.ts";

/** A store that follows a source in the process that serves it: one writer, every commitment. */
export const openLiveStore =
  ({ source }: ServeFollowFlags): OpenLiveStore =>
  async ({ store, assetCommitment, maxStaleSeconds, searchCache }, log) => {
    const lines = {
      say: (line: string): void => log.warn({}, line),
      inform: (line: string): void => log.info({}, line),
      output: {
        isJson: true,
        write: (line: string): void => log.info(JSON.parse(line) as object, "filling"),
      },
    };
    const options = { store, withSearch: true, callsForever: true, maxStaleSeconds, searchCache };
    const live = await startFollowing(source, { ...options, ...lines });
    log.info({ url: nameOf(source), assetCommitment }, live.rootedSlot === null ? "filling" : "following");
    return {
      readable: live.readable,
      status: () => live.status(),
      searchStatus: () => live.searchStatus(),
      metrics: () => followText(live),
      ended: live.ended,
      stop: () => live.stop(),
    };
  };

/** A store that is filled first has no views for a while: calls get the error that the index is loading. */
const startFollowing = async (
  source: ServeFollowFlags["source"],
  options: Pick<
    RpcFollowingOptions,
    "store" | "withSearch" | "callsForever" | "maxStaleSeconds" | "searchCache" | "say" | "inform" | "output"
  >,
): Promise<Following> => {
  const { store } = options;
  if (source.kind === "yellowstone") {
    return LiveFollowing.start(
      await openStoreForWriting(store, { create: false, follows: true, onProblem: options.say }),
      {
        ...options,
        url: source.url,
        token: process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
        commitment: "processed",
        repairRpc: process.env["LAMPLIGHT_REPAIR_RPC"] ?? null,
      },
    );
  }
  const writer = await openStoreForWriting(store, { create: true, follows: true, onProblem: options.say });
  return RpcFollowing.start(writer, { ...options, ...source.flags });
};

const nameOf = (source: ServeFollowFlags["source"]): string =>
  source.kind === "rpc"
    ? parseEndpoint(source.flags.url, ["http:", "https:"]).name
    : parseServerAddress(source.url).name;
