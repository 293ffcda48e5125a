import { openStoreForWriting } from "@lamplight/runtime";
import { followChain, type FollowOptions, followMetrics, type Upstream } from "@lamplight/runtime/follow";
import type { LiveStoreOpener } from "@lamplight/server";
import { parseEndpoint, parseServerAddress } from "@lamplight/sources/addresses";
import { fillSnapshotOf } from "../coverage/fill-flags.ts";
import type { FollowedSource } from "./serve-follow-flags.ts";

/**
 * A store that follows a source in the process that serves it: one writer, every commitment.
 *
 * @param between - the work between its slots
 */
export const liveStoreOpener = (
  source: FollowedSource,
  between: Pick<FollowOptions, "derives" | "samples">,
): LiveStoreOpener => {
  // Views of a store that is filled first throw `STORE__LOADING` for a while.
  const create = source.kind === "rpc";
  return {
    use: create ? "create" : "update",
    open: async ({ store, assetCommitment, maxStaleSeconds, searchCache, workers, limits }, log, relay) => {
      const lines = {
        say: (line: string): void => log.warn({}, line),
        inform: (line: string): void => log.info({}, line),
        output: {
          isJson: true,
          write: (line: string): void => log.info(JSON.parse(line) as object, "filling"),
        },
      };
      const upstream = upstreamOf(source, store);
      // Workers have their own indexes and views.
      const withSearch = workers === 1;
      const options = {
        store,
        relay,
        withSearch,
        ...(withSearch && { views: { most: limits.readViews, workers } }),
        callsForever: true,
        ...between,
        maxStaleSeconds,
        searchCache,
      };
      const writer = await openStoreForWriting(store, { create, follows: true, onProblem: lines.say });
      const live = await followChain(writer, upstream, { ...options, ...lines });
      log.info(
        { url: nameOf(source), assetCommitment },
        live.finalizedSlot === null ? "filling" : "following",
      );
      return {
        viewSource: live.viewSource,
        status: () => live.status(),
        searchStatus: () => live.searchStatus(),
        metrics: () => followMetrics(live),
        ended: live.ended,
        stop: () => live.stop(),
      };
    },
  };
};

const upstreamOf = (source: FollowedSource, store: string): Upstream => {
  const repairRpc = process.env["LAMPLIGHT_REPAIR_RPC"] ?? null;
  return source.kind === "rpc"
    ? { kind: "rpc", ...source.flags }
    : {
        kind: "yellowstone",
        url: source.url,
        token: process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
        commitment: "processed",
        repairRpc,
        ...fillSnapshotOf({}, { store, repairRpc }),
      };
};

const nameOf = (source: FollowedSource): string =>
  source.kind === "rpc"
    ? parseEndpoint(source.flags.url, ["http:", "https:"]).name
    : parseServerAddress(source.url).name;
