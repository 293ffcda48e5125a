import type { OpenLiveStore } from "@lamplight/server";
import type { ServeFollowFlags } from "./follow-flags.ts";
import { LiveFollowing } from "./follow-live.ts";
import { liveStatusOf, startMetrics } from "./follow-metrics.ts";

/** A store that follows a stream in the process that serves it: one writer, three commitments. */
export const openLiveStore =
  ({ url, metricsPort }: ServeFollowFlags): OpenLiveStore =>
  async ({ store, assetCommitment }, log) => {
    const live = await LiveFollowing.start({
      store,
      url,
      token: process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
      commitment: "processed",
      withSearch: true,
      say: (line) => log.warn({}, line),
    });
    const metrics = metricsPort === null ? null : await startMetrics(live, metricsPort);
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
