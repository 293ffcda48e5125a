import { createMethodSettings } from "@lamplight/core";
import type { LamplightError } from "@lamplight/errors";
import type { Gate } from "../src/gate/gate.ts";
import { GatedRequest, type RequestKind } from "../src/gate/gated-request.ts";
import type { Holder } from "../src/gate/shared-bound.ts";
import { silentLog } from "../src/log/log.ts";
import { ServerEvents } from "../src/log/server-events.ts";

const openView = (): never => {
  throw new Error("this test must not read a store");
};
const methodSettings = createMethodSettings({ apiVersion: "1" });

/** A request at a gate, which uses one place from its start until `end`. */
export class GateRequest extends GatedRequest {
  hasStarted = false;
  readonly #started = Promise.withResolvers<void>();

  constructor(gate: Gate, holder: Holder, events = new ServerEvents(silentLog)) {
    super({ gate, events, viewSource: { openView }, methodSettings }, holder, null);
    this.#started.promise.catch(() => undefined);
  }

  /** @throws LamplightError where it has no place */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  override begin(): boolean {
    this.hasStarted = true;
    try {
      if (this.kind !== "without reads") void this.usePlace();
      this.#started.resolve();
    } catch (error) {
      this.#started.reject(error as Error);
    }
    return false;
  }

  override usePlace(): Promise<void> | null {
    return super.usePlace();
  }

  protected override refuse(error: LamplightError): void {
    this.#started.reject(error);
  }

  end(): void {
    this.dropPlaces();
  }
}

export const enterGate = (gate: Gate, holder: Holder, kind: RequestKind = "list"): GateRequest => {
  const request = new GateRequest(gate, holder);
  request.kind = kind;
  gate.enter(request);
  return request;
};
