import type { RequestKind } from "../src/gate/admission-queue.ts";
import type { Gate } from "../src/gate/gate.ts";
import { PlacesOfRequest } from "../src/gate/places.ts";
import type { Holder } from "../src/gate/shared-tally.ts";

/** A request at a gate, which uses one place from its start until `end`. */
export interface GateRequest {
  readonly places: PlacesOfRequest;
  readonly hasStarted: () => boolean;
  /** @throws LamplightError where it has no place */
  readonly started: Promise<void>;
  end(): void;
}

export const enterGate = (gate: Gate, holder: Holder, kind: RequestKind = "list"): GateRequest => {
  const places = new PlacesOfRequest(holder);
  places.isBatch = kind === "batch";
  let hasStarted = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined);
  const begin = (): boolean => {
    hasStarted = true;
    try {
      if (kind !== "without reads") void gate.places.use(places);
      resolve();
    } catch (error) {
      reject(error as Error);
    }
    return false;
  };
  const refuse = (reason: string): void => reject(new Error(reason));
  gate.queue.enter({ kind, places, calls: { begin, refuse } });
  return {
    places,
    hasStarted: () => hasStarted,
    started: promise,
    end: () => gate.places.release(places),
  };
};
