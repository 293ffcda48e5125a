import type { LiveStore, OpenLiveStore } from "@lamplight/server";
import { openStoreForWriting } from "@lamplight/server/command";
import { parseEndpoint, parseServerAddress } from "@lamplight/sources";
import type { ServeFollowFlags } from "./follow-flags.ts";
import { LiveFollowing } from "./follow-live.ts";
import { METRICS_HOST, type MetricsServer, startMetrics } from "./follow-metrics.ts";
import { RpcFollowing, type RpcFollowingOptions } from "./follow-rpc-live.ts";
import type { Following } from "./following.ts";

/** A store that follows a source in the process that serves it: one writer, every commitment. */
export const openLiveStore =
  ({ source, metricsPort }: ServeFollowFlags): OpenLiveStore =>
  async ({ store, assetCommitment }, log) => {
    const lines = {
      say: (line: string): void => log.warn({}, line),
      inform: (line: string): void => log.info({}, line),
      output: { write: (line: string): void => log.info(JSON.parse(line) as object, "filling") },
    };
    let live: Following | null = null;
    const metrics =
      metricsPort === null ? null : await startMetrics(() => live, { host: METRICS_HOST, port: metricsPort });
    const told = { url: nameOf(source), assetCommitment, metrics: metrics?.url ?? null };
    try {
      live = await startFollowing(source, { store, withSearch: true, ...lines });
    } catch (error) {
      await metrics?.close();
      throw error;
    }
    log.info(told, live.rootedSlot === null ? "filling" : "following");
    return liveStoreOf(live, metrics);
  };

const liveStoreOf = (live: Following, metrics: MetricsServer | null): LiveStore => ({
  readable: live.readable,
  status: () => live.status(),
  searchStatus: () => live.searchStatus(),
  ended: live.ended,
  stop: async () => {
    await live.stop();
    await metrics?.close();
  },
});

/** A store that is filled first has no views for a while: calls are told that it loads. */
const startFollowing = async (
  source: ServeFollowFlags["source"],
  options: Pick<RpcFollowingOptions, "store" | "withSearch" | "say" | "inform" | "output">,
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
