import type { ChainChecks } from "./chain-checks.ts";
import type { ConsensusCheck } from "./consensus-check.ts";
import { RESCAN_ROUNDS_MISSED_MAX } from "./limits.ts";
import type { NodeSessions } from "./node-sessions.ts";
import type { RescanReader } from "./rescan-reader.ts";
import type { RpcClient } from "./rpc-client.ts";
import type { RpcState } from "./rpc-options.ts";
import type { RpcPhase } from "./rpc-phase.ts";
import type { SlotHorizon } from "./slot-horizon.ts";

interface StateParts {
  readonly phase: RpcPhase;
  readonly client: RpcClient;
  readonly checks: ChainChecks;
  readonly consensus: ConsensusCheck;
  readonly horizon: SlotHorizon;
  readonly reader: RescanReader;
  readonly sessions: NodeSessions;
  readonly rollbacks: number;
}

/** The state of an RPC source, from its parts. */
export const rpcStateOf = ({
  phase,
  client,
  checks,
  consensus,
  horizon,
  reader,
  sessions,
  rollbacks,
}: StateParts): RpcState => {
  const chain = "chain" in phase ? phase.chain : null;
  const { calls, retries, waiting, lastAnswerMs } = client.state;
  const { mode, connections, notifications, missedSlots, lastMessageMs } = sessions.state;
  const { rescan, refusedScans } = reader;
  const receivedSlot = chain?.line.received ?? 0;
  const filling = phase.kind === "filling" ? phase.filling.size : 0;
  return {
    mode,
    consensus: consensus.found,
    nodeSlot: Math.max(horizon.processed, receivedSlot),
    finalizedSlot: horizon.finalized,
    receivedSlot,
    openSlots: chain?.line.openSlots ?? 0,
    pendingVersions: (chain?.pending.size ?? 0) + filling,
    knownAccounts: chain?.known.size ?? 0,
    connections,
    notifications,
    calls,
    retries,
    waitingCalls: waiting,
    rollbacks,
    missedSlots,
    checksBlocks: checks.checksBlocks,
    lastMessageMs: later(lastMessageMs, lastAnswerMs),
    refusedScans,
    rescanStartedMs: rescan.startedMs,
    rescanSlot: rescan.slot,
    rescanAgeMsMax: sessions.rescanIntervalMs * RESCAN_ROUNDS_MISSED_MAX,
  };
};

const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
