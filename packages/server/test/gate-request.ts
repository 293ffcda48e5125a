import { Admission, type RequestKind } from "../src/gate/admission.ts";
import type { Gate } from "../src/gate/gate.ts";
import type { Holder } from "../src/gate/shared-bound.ts";
import { silentLog } from "../src/log/log.ts";
import { ServerEvents } from "../src/log/server-events.ts";

/** A request at a gate, which uses one place from its start until `end`. */
export interface GateRequest {
  readonly admission: Admission;
  readonly hasStarted: () => boolean;
  /** @throws LamplightError where it has no place */
  readonly started: Promise<void>;
  end(): void;
}

export const enterGate = (gate: Gate, holder: Holder, kind: RequestKind = "list"): GateRequest => {
  const admission = new Admission(gate, new ServerEvents(silentLog), holder, null);
  let hasStarted = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined);
  const begin = (): boolean => {
    hasStarted = true;
    try {
      if (kind !== "without reads") void admission.usePlace();
      resolve();
    } catch (error) {
      reject(error as Error);
    }
    return false;
  };
  const refuse = (reason: string): void => reject(new Error(reason));
  admission.setCalls(kind, { begin, refuse });
  gate.queue.enter(admission);
  return {
    admission,
    hasStarted: () => hasStarted,
    started: promise,
    end: () => admission.dropPlaces(),
  };
};
