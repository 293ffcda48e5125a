import { engineOf } from "@lamplight/runtime";
import type { FollowOptions } from "@lamplight/runtime/follow";
import { type MetricsAddress, type parseFlags, resolveMaxStaleSeconds } from "@lamplight/server/command";
import { metricsOptions, readMetricsAddress } from "../metrics-flags.ts";
import { storeUrlOf } from "../store-flag.ts";

/** What every process that follows does between slots, for `parseArgs`. */
export const betweenOptions = { "no-derive": { type: "boolean" }, "no-sample": { type: "boolean" } } as const;

/** Options of every `follow …` command. */
export const followOptions = {
  store: { type: "string" },
  standby: { type: "boolean" },
  ...metricsOptions,
  "max-stale-seconds": { type: "string" },
  ...betweenOptions,
  "auto-migrate": { type: "boolean" },
} as const;

/** They are named behind the options of a source, in its own words for `--store`. */
export const followUsage = `  --standby         wait while another process writes the store, and take over when it ends; /readyz is ready while it waits
  --metrics-port    serve /metrics (Prometheus), /readyz and /livez on this port; 0 picks a free one
  --metrics-host    address for these (127.0.0.1)
  --max-stale-seconds  not ready once no new slot came for so long (60); also as LAMPLIGHT_MAX_STALE_SECONDS
  --no-derive       after an upgrade that changed rules, keep to the rules of the store
  --no-sample       do not compare a stored asset a second with what its accounts make
  --auto-migrate    update an older schema in PostgreSQL, instead of refusing it; see lamplight migrate`;

export const memoryUsage =
  "LAMPLIGHT_MEMORY_BYTES replaces the memory of the machine or container in the bounds of what is kept in memory.";

type BetweenValues = ReturnType<typeof parseFlags<typeof betweenOptions>>;

/** The same as the runtime takes it. */
export const readBetween = (values: BetweenValues): Required<Pick<FollowOptions, "derives" | "samples">> => ({
  derives: values["no-derive"] !== true,
  samples: values["no-sample"] !== true,
});

/** The flags of every `follow …` command. */
export interface FollowFlags extends ReturnType<typeof readBetween> {
  /** URL of the store, with what the flags allow. */
  readonly store: string;
  /** Waits while another process writes the store, instead of refusing. */
  readonly standby: boolean;
  /** Null = none are served. */
  readonly metrics: MetricsAddress | null;
  readonly maxStaleSeconds: number | null;
}

/** @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID` */
export const readFollowFlags = (values: ReturnType<typeof parseFlags<typeof followOptions>>): FollowFlags => {
  const store = storeUrlOf(values);
  const stale = process.env["LAMPLIGHT_MAX_STALE_SECONDS"] || undefined;
  return {
    store: values["auto-migrate"] === true ? engineOf(store).autoMigrate(store) : store,
    standby: values.standby ?? false,
    ...readBetween(values),
    metrics: readMetricsAddress(values),
    maxStaleSeconds: resolveMaxStaleSeconds(values["max-stale-seconds"], stale) ?? null,
  };
};
