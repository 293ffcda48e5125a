// The configuration file, as a type. `lamplight.config.schema.json` is generated from it (`npx turbo run generate`), gives
// completion in editors, and is what the server checks a file against. Plain types only: each becomes JSON Schema.

import type { KeyCostsConfig } from "./key-costs-config.ts";

/** The configuration file of `lamplight serve`. Flags and environment variables win over it. */
export interface LamplightConfig {
  /** Where this file's schema lies, for completion in editors. */
  $schema?: string;
  /**
   * Store to serve, as `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`.
   * @minLength 1
   */
  store?: string;
  /**
   * Address to listen on. Default `127.0.0.1`: reachable from this machine only.
   * @minLength 1
   */
  host?: string;
  /**
   * Port to listen on; 0 picks a free one. Default 5267.
   * @TJS-type integer
   * @minimum 0
   * @maximum 65535
   */
  port?: number;
  /** Keys that may call. Letters, digits and `. _ ~ -`, at most 128 characters each. */
  keys?: string[];
  /**
   * Key store with limits for each key, which `lamplight keys` changes: a file, or `postgres://USER:PASSWORD@HOST/DATABASE` for nodes
   * that share keys. Default: none.
   * @minLength 1
   */
  keyStore?: string;
  keyCosts?: KeyCostsConfig;
  /**
   * A key that may be shown to anybody: the documentation's try-it panel and the playground link use it.
   * @pattern ^[A-Za-z0-9._~-]{1,128}$
   */
  publicKey?: string;
  /**
   * Scheme, host and port under which callers reach this server, when a proxy is before it.
   * @pattern ^https?://[^/?#\s]+$
   */
  publicUrl?: string;
  /**
   * Host names in `Host` that are answered; others get 421. Default: names without a dot or under `.internal`, addresses and the host of
   * `publicUrl` where the server listens on loopback, else all.
   */
  allowedHosts?: string[];
  /**
   * Origins whose pages may call a server on loopback from the internet (private-network preflights).
   * Default `https://playground.open-rpc.org`.
   */
  privateNetworkOrigins?: string[];
  /**
   * Whether a proxy is in front that sets X-Forwarded-For: its last entry is then the address that bounds count by.
   * Default false. Set it only there: elsewhere callers write that header themselves.
   */
  trustProxy?: boolean;
  /** Form of the answers; `auto` goes by the header Solana-Client. A request chooses by its URL: `?profile=agave`. Default `auto`. */
  profile?: "auto" | "spec" | "agave";
  /** Methods that are served in addition: `das` serves those of the DAS specification under `/das/<API_KEY>`. Default: none. */
  methods?: "das"[];
  /** Commitment at which the asset methods read. Default `confirmed`. */
  assetCommitment?: "processed" | "confirmed" | "finalized";
  /**
   * Seconds an answer of getLargestAccounts may be reused; 0 = always fresh. Default 0.
   * @TJS-type integer
   * @minimum 0
   * @maximum 7200
   */
  largestAccountsCacheSeconds?: number;
  /**
   * `/readyz` answers 503 once no new slot came for so many seconds. Default: 60 where this process follows a chain,
   * otherwise never.
   * @TJS-type integer
   * @minimum 1
   * @maximum 86400
   */
  maxStaleSeconds?: number;
  /**
   * Port for `/metrics` (Prometheus), `/readyz` with all details, and a `/livez` that a thread of its own answers; 0 picks
   * a free one. Default: none.
   * @TJS-type integer
   * @minimum 0
   * @maximum 65535
   */
  metricsPort?: number;
  /**
   * Address that this port listens on. Others can read the metrics where it is not loopback. Default: 127.0.0.1.
   * @minLength 1
   */
  metricsHost?: string;
  /**
   * Folder where the search index of a PostgreSQL store is kept between runs. All processes on a machine can share it.
   * Default: `lamplight` in `$XDG_CACHE_HOME`, or in `~/.cache`.
   * @minLength 1
   */
  searchCache?: string;
  /**
   * Threads that answer calls; default 1. One thread for each processor uses the whole machine. Linux and FreeBSD only.
   * @minimum 1
   * @maximum 256
   */
  workers?: number;
  /**
   * The explorer shows pictures of other hosts through `pictureProxy`, after a click, or all at once. Creators choose
   * these hosts, which see the visitor's address. Default `click`, and `all` for visitors on the server's own machine.
   */
  pictures?: "proxy" | "click" | "all";
  /**
   * Where `pictures` is `proxy`: the URL of a picture proxy, which the encoded address of a picture follows, as
   * `https://pictures.example/?url=`.
   * @pattern ^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?/[^\s#]*$
   */
  pictureProxy?: string;
  limits?: LimitsConfig;
  log?: LogConfig;
}

/** Bounds of the server. */
export interface LimitsConfig {
  /**
   * Largest request body in bytes, also after decompression. Default 262144.
   * @TJS-type integer
   * @minimum 1024
   * @maximum 67108864
   */
  bodyBytes?: number;
  /**
   * From the first byte of a request to the end of its headers, and from there to the end of its body. Default 10000.
   * @TJS-type integer
   * @minimum 100
   * @maximum 600000
   */
  receiveTimeoutMs?: number;
  /**
   * Time from the whole body to the reply. A request waits a 15th of it for a read view. Default 30000.
   * @TJS-type integer
   * @minimum 100
   * @maximum 600000
   */
  callTimeoutMs?: number;
  /**
   * Calls in one batch. Default 100.
   * @TJS-type integer
   * @minimum 1
   * @maximum 10000
   */
  batchCalls?: number;
  /**
   * Bytes of the answer to one call. Default 33554432; an account of 10 MiB takes 14 million in base64.
   * @TJS-type integer
   * @minimum 1048576
   * @maximum 268435456
   */
  answerBytes?: number;
  /**
   * Sum of the answers of one batch in characters. Default 67108864.
   * @TJS-type integer
   * @minimum 1024
   * @maximum 268435456
   */
  batchReplyChars?: number;
  /**
   * An idle connection is kept this long. Default 65000.
   * @TJS-type integer
   * @minimum 1000
   * @maximum 3600000
   */
  keepAliveMs?: number;
  /**
   * Open connections. Default: as many of 48 KiB as fit into a quarter of memory, at most 10000.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000000
   */
  connections?: number;
  /**
   * Open connections of one IPv4 address or IPv6 /64 network; further ones get 503. With `trustProxy`, requests in progress of one such address instead. Default: a quarter of the default of `connections`, at most 2500.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000000
   */
  connectionsPerAddress?: number;
  /**
   * Bytes of answers that callers have not read, over all connections: at this many, new requests get 503. Request bodies may
   * have a quarter of it besides. Default: a 16th of memory, at most 268435456.
   * @TJS-type integer
   * @minimum 1048576
   * @maximum 17179869184
   */
  owedBytes?: number;
  /**
   * Requests of all connections that were received and wait: on their connection, or to be admitted. Further ones get 503. Default: as many of 80 KiB as fit into an eighth of memory, at most 8192.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000000
   */
  waitingRequests?: number;
  /**
   * A caller who takes nothing of an answer for so long is disconnected. Default 30000.
   * @TJS-type integer
   * @minimum 100
   * @maximum 600000
   */
  takeTimeoutMs?: number;
  /**
   * Read views that requests hold at once: batches three quarters of them, and one key half of them where there are several. Default 16.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000
   */
  readViews?: number;
  /**
   * Wrong keys from one address after which it is slowed: ten further keys from it are checked at once, and then five a second. Default 10.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000000
   */
  wrongKeys?: number;
  /**
   * From the stop signal until new connections are refused: `/readyz` answers 503 in the meantime, so that load balancers stop
   * sending requests here. Default 0.
   * @TJS-type integer
   * @minimum 0
   * @maximum 600000
   */
  lameDuckMs?: number;
  /**
   * Time from then on until calls still running are cut off. Default 10000.
   * @TJS-type integer
   * @minimum 0
   * @maximum 600000
   */
  drainMs?: number;
}

/** Settings of the log. */
export interface LogConfig {
  /** Default `info`. */
  level?: "debug" | "info" | "warn" | "error" | "silent";
  /**
   * Calls that take at least this long are logged. Default 1000.
   * @TJS-type integer
   * @minimum 1
   * @maximum 600000
   */
  slowCallMs?: number;
  /** Requests that get a line each: none, a share of them, or all. Default `off`. */
  access?: "off" | "sampled" | "all";
  /**
   * Share of the requests that get a line with `sampled`. Requests that take `slowCallMs` always get one. Default 0.01.
   * @minimum 0
   * @maximum 1
   */
  accessRate?: number;
  /** The caller's address in these lines: none, its network (/24 or /48), or in full. Default `none`. */
  accessAddress?: "none" | "short" | "full";
}
