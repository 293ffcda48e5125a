// The hosts of the bench, for its three processes.

export const HOSTS = 10;
/** Allowed requests a second of each host. */
export const RATE = Number(process.env["LAMPLIGHT_BENCH_RATE"] ?? 100);
/** Concurrent requests of each host: enough for the rate while a reply takes its usual time. */
export const AT_ONCE = 16;
/** Milliseconds that the slow host takes for each reply. It cannot reach its rate. */
export const SLOW_MS = 5000;

export const hostOf = (index: number): string => `docs${index}.host${index}.test`;
/** The last one. */
export const slowHost = hostOf(HOSTS - 1);
