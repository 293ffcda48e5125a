import type { OpenLiveStore } from "@lamplight/server";
import { openStoreForWriting } from "@lamplight/server/command";
import type { ServeFollowFlags } from "./follow-flags.ts";
import { LiveFollowing } from "./follow-live.ts";
import { liveStatusOf, METRICS_HOST, startMetrics } from "./follow-metrics.ts";

/** A store that follows a stream in the process that serves it: one writer, three commitments. */
export const openLiveStore =
  ({ url, metricsPort }: ServeFollowFlags): OpenLiveStore =>
  async ({ store, assetCommitment }, log) => {
    const live = await LiveFollowing.start(
      await openStoreForWriting(store, { create: false, follows: true }),
      {
        store,
        url,
        token: process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
        commitment: "processed",
        withSearch: true,
        say: (line) => log.warn({}, line),
      },
    );
    const metrics =
      metricsPort === null ? null : await startMetrics(() => live, { host: METRICS_HOST, port: metricsPort });
    log.info({ url, assetCommitment, metrics: metrics?.url ?? null }, "following");
    return {
      readable: live.readable,
      status: () => liveStatusOf(live),
      searchStatus: () => live.searchStatus(),
      ended: live.ended,
      stop: async () => {
        await live.stop();
        await metrics?.close();
      },
    };
  };
