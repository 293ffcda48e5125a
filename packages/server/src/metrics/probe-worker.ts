/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// A thread of its own that answers the metrics port: see `startMetricsPort`. Loads little besides Node.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

import { AllowedHosts } from "../http/allowed-hosts.ts";
import type { MetricsFormat, ProbeData, ProbePath, ToMain, ToProbe } from "./probe-messages.ts";
import { type ProbeText, SharedAnswers } from "./shared-answers.ts";

/** Between two checks of the heartbeat, which comes once a second. */
const CHECK_MS = 250;
/** Time that the main thread may take for an answer. */
const ANSWER_MS = 5000;
/** Requests that wait for an answer of the main thread; further ones are refused. */
const WAITING_MAX = 64;
const CONNECTIONS_MAX = 128;
const json = "application/json";

const { host, port, allowedHosts, heartbeats, heartbeatMaxMs } = workerData as ProbeData;
const hosts = new AllowedHosts({ host, publicUrl: null, allowedHosts, trustProxy: false });
const counters = new Int32Array(heartbeats);
const emit = (message: ToMain): void => parentPort!.postMessage(message);

const threads = Array.from(counters, () => ({ beats: 0, beatMs: performance.now() }));
const checkHeartbeats = (): void => {
  for (const [index, thread] of threads.entries()) {
    const beats = Atomics.load(counters, index);
    if (beats === thread.beats) continue;
    thread.beats = beats;
    thread.beatMs = performance.now();
  }
};
setInterval(checkHeartbeats, CHECK_MS);

const sniffing = { "x-content-type-options": "nosniff" };
let waiting = 0;
/** The questions that were asked so far, by their text. The index of each is its id. */
const questions: string[] = [];
const answers: SharedAnswers[] = [];

const answersTo = (path: ProbePath, format: MetricsFormat): SharedAnswers => {
  const question = path === "/metrics" ? `${path} ${format}` : path;
  const known = questions.indexOf(question);
  if (known !== -1) return answers[known]!;
  const id = questions.push(question) - 1;
  const made = new SharedAnswers(() => emit({ kind: "ask", id, path, format }));
  answers.push(made);
  return made;
};

const ask = (path: ProbePath, format: MetricsFormat, response: ServerResponse): void => {
  const send = ({ status, contentType, body }: ProbeText): void => {
    response
      .writeHead(status, {
        "content-type": contentType,
        "cache-control": "no-store",
        vary: "Accept",
        ...sniffing,
      })
      .end(body);
  };
  const busy = { status: 503, contentType: json, body: '{"status":"busy"}' };
  if (waiting >= WAITING_MAX) return send(busy);
  const shared = answersTo(path, format);
  const settle = (answer: ProbeText): void => {
    clearTimeout(deadline);
    shared.remove(settle);
    waiting--;
    send(answer);
  };
  const deadline = setTimeout(() => settle(busy), ANSWER_MS);
  waiting++;
  shared.add(settle);
};

const formatOf = ({ headers: { accept = "" } }: IncomingMessage): MetricsFormat =>
  accept.includes("application/openmetrics-text") ? "openmetrics" : "prometheus";

const answerLiveness = (response: ServerResponse): void => {
  checkHeartbeats();
  const isAlive = threads.every(({ beatMs }) => performance.now() - beatMs <= heartbeatMaxMs);
  response
    .writeHead(isAlive ? 200 : 503, { "content-type": json, "cache-control": "no-store", ...sniffing })
    .end(JSON.stringify({ status: isAlive ? "alive" : "hanging" }));
};

const server = createServer((request, response) => {
  const path = request.url?.split("?")[0];
  // A web page may reach this port under a name of its own.
  if (!hosts.allows(request.headers.host ?? ""))
    response.writeHead(421, { "content-type": json }).end('{"status":"host name not allowed"}');
  else if (request.method !== "GET" && request.method !== "HEAD")
    response.writeHead(405, { allow: "GET, HEAD" }).end();
  else if (path === "/livez") answerLiveness(response);
  else if (path === "/metrics" || path === "/readyz") ask(path, formatOf(request), response);
  else response.writeHead(404).end();
});
server.maxConnections = CONNECTIONS_MAX;
server.once("error", ({ code, message }: NodeJS.ErrnoException) => emit({ kind: "failed", code, message }));
server.listen(port, host, () => {
  const { port: bound, address } = server.address() as AddressInfo;
  emit({ kind: "listening", port: bound, address });
});
parentPort!.on("message", ({ id, ...answer }: ToProbe) => answers[id]!.onAnswer(answer));
