import {
  type Coverage,
  type CoverageRequest,
  FOLLOWED_STALE_SECONDS_MAX,
  isChangeable,
  parseCoverageRequest,
  type Slot,
} from "@lamplight/core";
import { readStoredAccounts, readTreeSlot } from "@lamplight/indexer";
import { RpcSource } from "@lamplight/sources/rpc";
import { createStageReporter } from "../process/load-stages.ts";
import { lineApart } from "../process/line-apart.ts";
import { createProgress } from "../process/progress.ts";
import { problemWord } from "../store/when-store-available.ts";
import type { FittingSource, FollowedStore, LiveChain } from "./connected-source.ts";
import { CoverageChanges } from "./coverage-changes.ts";
import { readAgain, stateOf } from "./coverage-steps.ts";
import { coverageSamples, treeSamples } from "./follow-metrics.ts";
import type { FollowOptions, RpcUpstream } from "./follow-options.ts";
import { knownChainOf } from "./known-chain.ts";
import { coverageOf, scopeOf } from "./rpc-coverage.ts";
import { newestRpcSlot, rpcProgress, rpcSamples, rpcStatus } from "./rpc-status.ts";
import { accountsOf, type NewAccounts, ScannedPrograms } from "./scanned-programs.ts";
import { TreeFilling, type TreesState } from "./tree-filling.ts";

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
  const { targets, lacking, removed } = scopeOf(coverage, options.targets, watermark === null);
  const { url, socketUrl, rescanMs, pollMs, say, inform = say, callsForever } = options;
  /** Accounts that an earlier process added are not trusted: nothing reported their writes since. */
  const known = readAgain(coverage);
  return {
    isFilled: watermark !== null && lacking === null,
    ignoreUnknownClosings: false,
    connect: async () => {
      if (stateOf(coverage).filling.length > 0) await store.writeCoverage(known);
      for (const program of removed)
        say(
          `program ${program} is not followed: its rows are being removed; start again after that to add it`,
        );
      const filling = createProgress("accounts", options.output);
      let adding = createStageReporter(options.output);
      const apart = lineApart(() => {
        filling.end();
        adding.end();
      });
      const read: NewAccounts = new Map();
      const source = new RpcSource({
        url,
        socketUrl,
        targets,
        base: {
          watermark,
          lacking,
          isWhole: coverage.kind === "whole",
          chain: await knownChainOf(store),
          readAccounts: async function* () {
            yield* accountsOf(read);
            yield* readStoredAccounts(store);
          },
          readTreeSlot: async (tree) => readTreeSlot(store, tree, (await store.readWatermark())?.slot ?? 0),
        },
        signal,
        rate,
        callsForever: callsForever && watermark !== null,
        isHeld: () => live()?.overlay.isStalled ?? false,
        onProblem: ({ message }) => apart(say)(message),
        say: apart(inform),
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
        await store.writeCoverage(coverageOf(targets, source, slot, known));
        [owesCoverage, coveredRevision] = [false, revision];
      };
      /** Null until the store covers all that was followed from the start. */
      let changes: CoverageChanges | null = null;
      let trees: TreeFilling | null = null;
      const startChanges = async ({ overlay, follower }: LiveChain): Promise<CoverageChanges> => {
        const now = await store.readCoverage();
        sayWaiting(now, parseCoverageRequest((await store.coverageRequests?.read()) ?? null), apart(say));
        const parts = { store, overlay, signal, say: apart(say), inform: apart(inform) };
        const programs = new ScannedPrograms({ source, read, url, rate, ...parts });
        const started = new CoverageChanges({
          ...parts,
          follower,
          source: programs,
          coverage: now,
          startProgress: () => (adding = createStageReporter(options.output)),
        });
        if (isChangeable(now))
          trees = new TreeFilling({ ...parts, url, rate, follow: (tree) => started.followTree(tree) });
        return started;
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
            changes: changes?.state ?? stateOf(known),
          }),
        samples: ({ live: chain, times }) => [
          ...rpcSamples(source.state, chain?.overlay ?? null, times),
          ...coverageSamples(changes?.state ?? stateOf(known)),
          ...treeSamples(trees?.state ?? noTrees),
        ],
        progress: ({ live: chain }) => {
          adding.end();
          return rpcProgress(source.state, chain?.overlay ?? null);
        },
        noteFilled: async ({ slot }) => {
          inform(`filled as of slot ${slot}`);
          if (watermark === null) await writeCoverage(slot);
          else owesCoverage = true;
        },
        noteTaken: async (event) => {
          if (event.kind === "rollback") changes?.noteStart();
          // All rows are consistent from a finalized slot on. Before that, coverage could be promised for parts only.
          if (event.kind !== "slot" || event.status !== "finalized") return;
          const hasFound = targets.everyProgram === true && source.programs.revision !== coveredRevision;
          if (owesCoverage || hasFound) await writeCoverage(event.slot);
          if (changes !== null) return;
          changes = await startChanges(live()!);
          changes.noteStart();
        },
        noteGap: () => {},
        close: async () => {
          await Promise.all([changes?.close(), trees?.close()]);
        },
      };
    },
  };
};

const noTrees: TreesState = { filling: 0, transactions: 0 };

/** Says which changes that an operator asked for are not made while an RPC node is followed. */
const sayWaiting = (
  coverage: Coverage,
  { add, drop, trees = [] }: CoverageRequest,
  say: (line: string) => void,
): void => {
  if (isChangeable(coverage)) return;
  if (add.length + drop.length > 0)
    say(
      "a change of programs waits, and is not made: the store covers more than programs and single accounts",
    );
  for (const tree of trees) say(`tree ${tree} waits: start with --tree ${tree} to complete it`);
};

/** With polling, slots arrive in rounds. */
const staleSecondsOf = ({ maxStaleSeconds = null, socketUrl, pollMs }: RpcFollowOptions): number | null => {
  if (maxStaleSeconds !== null || socketUrl !== null || pollMs === null) return maxStaleSeconds;
  return Math.max(FOLLOWED_STALE_SECONDS_MAX, (3 * pollMs) / 1000);
};
