import { encodeAddress } from "@lamplight/codecs";
import { streamedPrograms } from "@lamplight/indexer";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import { lineApart } from "../process/line-apart.ts";
import { createStageReporter } from "../process/load-stages.ts";
import { problemWord } from "../store/when-store-available.ts";
import type { FittingSource, FollowedStore, FollowStates, LiveChain } from "./connected-source.ts";
import type { FollowOptions, YellowstoneUpstream } from "./follow-options.ts";
import { CoverageChanges } from "./coverage-changes.ts";
import { filtersOf } from "./followed-accounts.ts";
import { GapRepairer } from "./gap-repairer.ts";
import { Recovery } from "./recovery.ts";
import { StoredConsensus } from "./stored-consensus.ts";
import { StreamedPrograms } from "./streamed-programs.ts";
import { TreeFilling } from "./tree-filling.ts";
import {
  isSourceBehind,
  YellowstoneProgress,
  yellowstoneSamples,
  type YellowstoneStates,
  yellowstoneStatus,
} from "./yellowstone-status.ts";

/** Milliseconds between two attempts to get a missing slot, from a new stream or an RPC node. */
const RENEW_MS = 15_000;

/**
 * Follows the stream of a Yellowstone server into a loaded store.
 *
 * @throws LamplightError `CLI__USAGE` for a store that covers what no stream can be asked for
 */
export const fitYellowstone = (
  options: FollowOptions & YellowstoneUpstream,
  { store, coverage, live, signal, rate }: FollowedStore,
): FittingSource => {
  const accounts = filtersOf(coverage);
  const { url, token, commitment, callsForever, output } = options;
  let filling = createStageReporter(output);
  const apart = lineApart(() => filling.end());
  const [say, inform] = [apart(options.say), apart(options.inform ?? options.say)];
  return {
    isFilled: true,
    ignoreUnknownClosings: coverage.kind !== "whole",
    connect: async () => {
      const { overlay, follower } = live()!;
      const source = new YellowstoneSource({
        url,
        token,
        accounts,
        transactionPrograms: streamedPrograms.map(encodeAddress),
        commitment,
        resumeFrom: () => overlay.state.finalizedSlot + 1,
        signal,
        rate,
        callsForever,
        onProblem: (error) => say(error.message),
      });
      const repairer =
        options.repairRpc === null
          ? null
          : new GapRepairer({
              url: options.repairRpc,
              signal,
              rate,
              store,
              coverage: () => changes.coverage,
              overlay,
              follower,
              say,
            });
      await repairer?.checkChain();
      const changes = new CoverageChanges({
        store,
        overlay,
        follower,
        source: new StreamedPrograms(source, {
          store,
          overlay,
          url: options.repairRpc,
          snapshot: options.fillSnapshot ?? null,
          signal,
          rate,
          inform,
        }),
        coverage,
        signal,
        say,
        inform,
        startProgress: () => (filling = createStageReporter(output)),
      });
      const trees = new TreeFilling({
        store,
        overlay,
        url: options.repairRpc,
        signal,
        rate,
        say,
        inform,
      });
      const recovery = new Recovery({ follower, source, repairer, say });
      const renewal = setInterval(() => recovery.tryAgain(), RENEW_MS);
      const progress = new YellowstoneProgress();
      const consensus = new StoredConsensus(overlay, coverage);
      await consensus.refresh();
      const statesOf = ({ times }: Pick<FollowStates, "times">): YellowstoneStates => ({
        overlay,
        follower: follower.state,
        source: source.state,
        times,
        consensus: consensus.found,
        repairs: repairer?.counts ?? null,
        changes: changes.state,
        trees: trees.state,
      });
      /** Whether it was logged that the server is behind the store. */
      let wasBehind = false;
      return {
        maxStaleSeconds: options.maxStaleSeconds ?? null,
        events: () => source.events(),
        newestSlots: () => ({ source: source.state.newestSlot, read: overlay.state.processedSlot }),
        status: (states) => yellowstoneStatus(statesOf(states), problemWord(states.storeProblem)),
        samples: (states) => yellowstoneSamples(statesOf(states)),
        progress: (states) => {
          filling.end();
          return progress.line(statesOf(states));
        },
        noteFilled: async () => {},
        noteTaken: async ({ kind }) => {
          if (kind === "restart") changes.noteStart();
          if (kind !== "slot") return;
          const isBehind = isSourceBehind({ overlay, source: source.state });
          if (isBehind && !wasBehind) say(behindText(source, { overlay, follower }));
          wasBehind = isBehind;
          // Only a status can finalize the chain beyond a gap.
          await recovery.finish();
        },
        noteGap: (gap) => recovery.noteGap(gap),
        close: async () => {
          clearInterval(renewal);
          await Promise.all([changes.close(), trees.close()]);
          consensus.close();
          recovery.close();
        },
      };
    },
  };
};

const behindText = ({ state }: YellowstoneSource, { overlay }: LiveChain): string =>
  `Yellowstone server is at slot ${state.newestSlot}, behind our finalized slot ${overlay.state.finalizedSlot}; waiting`;
