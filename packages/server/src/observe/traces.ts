import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { RoundObserver } from "@lamplight/core";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

import { apiVersion } from "../version.ts";
import { withinMs } from "../within-ms.ts";
import type { TraceSettings } from "../config/settings.ts";
import { outcomeOf } from "./outcome.ts";
import type { RequestObserver, RequestRecord, WaitReason } from "./request-record.ts";

/** The exporter tries for ten seconds to reach a collector, for which the end of a process does not wait. */
const CLOSE_MS = 2000;

/** Spans that wait to be sent. Further ones are dropped, so a slow collector costs no memory. */
const QUEUED_SPANS_MAX = 2048;

const propagator = new W3CTraceContextPropagator();
const headerGetter = {
  keys: (headers: IncomingHttpHeaders) => Object.keys(headers),
  get: (headers: IncomingHttpHeaders, name: string) => headers[name],
};

interface Traced {
  readonly span: Span;
  readonly context: Context;
  /** Whether the caller asks to be traced. One with a right key is, at any rate. */
  readonly isAsked: boolean;
}

/** Spans of each request: receive, parse, wait, each round of reads, write. None has a key, a path or a parameter. */
export class Traces implements RequestObserver {
  readonly #provider: TracerProvider;
  readonly #rate: number;
  readonly #tracer: ReturnType<TracerProvider["getTracer"]>;
  readonly #traced = new WeakMap<RequestRecord, Traced>();

  constructor({ url, rate }: TraceSettings) {
    const exporter = new OTLPTraceExporter({ url });
    this.#rate = rate;
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ "service.name": "lamplight", "service.version": apiVersion }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(rate) }),
      spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: QUEUED_SPANS_MAX })],
    });
    this.#tracer = this.#provider.getTracer("lamplight", apiVersion);
  }

  onHead(record: RequestRecord, { headers, method = "" }: IncomingMessage): void {
    const parent = propagator.extract(ROOT_CONTEXT, headers, headerGetter);
    const span = this.#tracer.startSpan(
      "request",
      {
        kind: SpanKind.SERVER,
        startTime: timeOf(record.startedMs),
        attributes: { "http.request.method": method, "lamplight.request_id": record.id },
      },
      parent,
    );
    const { traceId, spanId, traceFlags } = span.spanContext();
    record.headers = [...record.headers, "traceparent", `00-${traceId}-${spanId}-0${traceFlags & 1}`];
    if (!span.isRecording()) return;
    const isAsked = trace.getSpanContext(parent) !== undefined;
    this.#traced.set(record, { span, context: trace.setSpan(parent, span), isAsked });
  }

  onCalls(record: RequestRecord): void {
    const traced = this.#traced.get(record);
    if (traced === undefined || record.receivedMs === null) return;
    this.#add(traced, "receive", record.startedMs, record.receivedMs);
    this.#add(traced, "parse", record.receivedMs, performance.now(), { "lamplight.calls": record.calls });
  }

  onWait(record: RequestRecord, reason: WaitReason, waitMs: number): void {
    const traced = this.#traced.get(record);
    const nowMs = performance.now();
    if (traced !== undefined)
      this.#add(traced, "wait", nowMs - waitMs, nowMs, { "lamplight.wait_reason": reason });
  }

  onRound(record: RequestRecord): RoundObserver | null {
    const traced = this.#traced.get(record);
    if (traced === undefined) return null;
    return (reads) => {
      const startedMs = performance.now();
      const kinds = [...new Set(reads.map(({ kind }) => kind))].join(" ");
      return () =>
        this.#add(traced, "read", startedMs, performance.now(), {
          "lamplight.reads": reads.length,
          "lamplight.read_kinds": kinds,
        });
    };
  }

  onEnd(record: RequestRecord): void {
    const traced = this.#traced.get(record);
    if (traced === undefined) return;
    const { span, isAsked } = traced;
    // A span that does not end is not sent. The id of the trace must not decide: it is the caller's choice, too.
    if (isAsked && record.caller === null && Math.random() >= this.#rate) return;
    const { method, status, error, route, bytes, repliedMs, startedMs, durationMs, newestSlot } = record;
    const endMs = startedMs + durationMs;
    if (repliedMs !== null)
      this.#add(traced, "write", repliedMs, endMs, { "http.response.body.size": bytes });
    span.updateName(method ?? route);
    span.setAttributes({
      "http.response.status_code": status,
      "lamplight.route": route,
      ...(method !== null && { "rpc.system": "jsonrpc", "rpc.method": method }),
      ...(newestSlot !== null && { "lamplight.slot": newestSlot }),
      ...(error !== null && { "error.type": error }),
    });
    const outcome = outcomeOf(error);
    if (outcome === "failed" || outcome === "refused") span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timeOf(endMs));
  }

  /** Sends what waits. A collector that is gone does not keep the process from ending well. */
  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => undefined);
    await withinMs(sent, CLOSE_MS);
  }

  #add({ context }: Traced, name: string, startMs: number, endMs: number, attributes: Attributes = {}): void {
    this.#tracer.startSpan(name, { startTime: timeOf(startMs), attributes }, context).end(timeOf(endMs));
  }
}

/** Milliseconds of `performance.now()` as milliseconds since 1970. */
const timeOf = (ms: number): number => performance.timeOrigin + ms;
