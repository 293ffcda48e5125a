// The process that fetches: arguments are the URL of the store and the port of every host. It fetches until a message.
import { createNetworkFetcher, OffchainWorker } from "@lamplight/offchain";
import { openDocuments } from "@lamplight/runtime";
import { AT_ONCE, hostOf, HOSTS, RATE } from "./hosts.ts";

const [url = "", port = ""] = process.argv.slice(2);
const store = await openDocuments(url);
const limits = { requestsAtOnce: AT_ONCE, requestsPerSecond: RATE };
const fetcher = createNetworkFetcher({
  // The bench's own internet.
  isPublic: () => true,
  resolve: async () => ["127.0.0.1"],
  ports: [Number(port)],
  hostLimits: new Map(Array.from({ length: HOSTS }, (_, index) => [hostOf(index), limits])),
});
const worker = new OffchainWorker({
  store: store.offchain,
  index: store,
  fetcher,
  requestsAtOnce: HOSTS * AT_ONCE,
});
const stop = new AbortController();
const megabytes = (): number => process.memoryUsage().rss / (1 << 20);
process.once("message", () => stop.abort());
process.send?.({ beforeMb: megabytes() });
let mostMb = megabytes();
const sampling = setInterval(() => (mostMb = Math.max(mostMb, megabytes())), 250);
await worker.fetchDue(stop.signal);
clearInterval(sampling);
await store.close();
const { user, system } = process.cpuUsage();
const { fetched, failed } = worker.counts;
process.send?.({ mostMb, fetched, failed, cpuMs: (user + system) / 1000 });
process.disconnect();
