import { FOLLOWED_STALE_SECONDS_MAX, type Slot } from "@lamplight/core";
import { readStoredAccounts, readTreeSlot } from "@lamplight/indexer";
import { RpcSource } from "@lamplight/sources/rpc";
import { createProgress } from "../process/progress.ts";
import { problemWord } from "../store/when-store-available.ts";
import type { FittingSource, FollowedStore } from "./connected-source.ts";
import type { FollowOptions, RpcUpstream } from "./follow-options.ts";
import { knownChainOf } from "./known-chain.ts";
import { coverageOf, scopeOf } from "./rpc-coverage.ts";
import { newestRpcSlot, rpcProgress, rpcSamples, rpcStatus } from "./rpc-status.ts";

type RpcFollowOptions = FollowOptions & RpcUpstream;

/**
 * Follows an RPC node. If the store is incomplete, the node fills it first.
 *
 * @throws LamplightError `CLI__USAGE` for a store that covers what no node can be asked for, and for nothing to
 * follow
 */
export const fitRpc = (
  options: RpcFollowOptions,
  { store, coverage, watermark, live, signal, rate }: FollowedStore,
): FittingSource => {
  const { targets, lacking } = scopeOf(coverage, options.targets, watermark === null);
  const { url, socketUrl, rescanMs, pollMs, say, inform = say, callsForever } = options;
  return {
    isFilled: watermark !== null && lacking === null,
    ignoreUnknownClosings: false,
    connect: async () => {
      const waiting = (await store.coverageRequests?.read()) ?? null;
      if (waiting !== null) say(changeWaits);
      const filling = createProgress("accounts", options.output);
      // Every message starts on a line of its own.
      const sayApart =
        (emit: (line: string) => void) =>
        (line: string): void => {
          filling.end();
          emit(line);
        };
      const source = new RpcSource({
        url,
        socketUrl,
        targets,
        base: {
          watermark,
          lacking,
          isWhole: coverage.kind === "whole",
          chain: await knownChainOf(store),
          readAccounts: () => readStoredAccounts(store),
          readTreeSlot: async (tree) => readTreeSlot(store, tree, (await store.readWatermark())?.slot ?? 0),
        },
        signal,
        rate,
        callsForever: callsForever && watermark !== null,
        isHeld: () => live()?.overlay.isStalled ?? false,
        onProblem: ({ message }) => sayApart(say)(message),
        say: sayApart(inform),
        onProgress: (progress) => filling.update(progress),
        ...(rescanMs === null ? {} : { rescanMs }),
        ...(pollMs === null ? {} : { pollMs }),
      });
      /** Whether more is followed than the store covers. */
      let owesCoverage = false;
      /** Number of programs found when the coverage was last written. */
      let coveredRevision = -1;
      const writeCoverage = async (slot: Slot): Promise<void> => {
        const { revision } = source.programs;
        await store.writeCoverage(coverageOf(targets, source, slot));
        [owesCoverage, coveredRevision] = [false, revision];
      };
      return {
        maxStaleSeconds: staleSecondsOf(options),
        events: () => source.events(),
        newestSlots: (chain) => ({
          source: newestRpcSlot(source.state),
          read: chain?.overlay.state.confirmedSlot ?? null,
        }),
        status: ({ live: chain, times, storeProblem }) =>
          rpcStatus(source.state, chain?.overlay ?? null, times, {
            storeProblem: problemWord(storeProblem),
            hasGap: (chain?.follower.state.gap ?? null) !== null,
          }),
        samples: ({ live: chain, times }) => rpcSamples(source.state, chain?.overlay ?? null, times),
        progress: ({ live: chain }) => rpcProgress(source.state, chain?.overlay ?? null),
        noteFilled: async ({ slot }) => {
          inform(`filled as of slot ${slot}`);
          if (watermark === null) await writeCoverage(slot);
          else owesCoverage = true;
        },
        noteTaken: async (event) => {
          // All rows are consistent from a finalized slot on. Before that, coverage could be promised for parts only.
          if (event.kind !== "slot" || event.status !== "finalized") return;
          const hasFound = targets.everyProgram === true && source.programs.revision !== coveredRevision;
          if (owesCoverage || hasFound) await writeCoverage(event.slot);
        },
        noteGap: () => {},
        close: () => {},
      };
    },
  };
};

/** `lamplight coverage add` and `drop` cannot know which process will follow the store. */
const changeWaits =
  "a change of the coverage waits, and is not made while an RPC node is followed: name a program or tree at the start";

/** With polling, slots arrive in rounds. */
const staleSecondsOf = ({ maxStaleSeconds = null, socketUrl, pollMs }: RpcFollowOptions): number | null => {
  if (maxStaleSeconds !== null || socketUrl !== null || pollMs === null) return maxStaleSeconds;
  return Math.max(FOLLOWED_STALE_SECONDS_MAX, (3 * pollMs) / 1000);
};
