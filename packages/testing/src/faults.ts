import { onlyProperties } from "@lamplight/devchain";
import { LamplightError } from "@lamplight/errors";

/**
 * A call fails with an HTTP status, or with a JSON-RPC error code.
 *
 * ```ts
 * chain.fail({ method: "getAsset", status: 429, retryAfter: 1, times: 2 });
 * ```
 */
export interface Fault {
  /** Default: calls of every method. */
  readonly method?: string;
  readonly status?: number;
  readonly code?: number;
  /** Default "Injected fault". */
  readonly message?: string;
  /** The number of calls that fail. Default 1. */
  readonly times?: number;
  /** Seconds in the header `Retry-After`. Only with `status`. */
  readonly retryAfter?: number;
}

interface ActiveFault extends Fault {
  left: number;
}

/** Faults that a test injects: failing calls and delayed answers. */
export class Faults {
  /** Wait before each answer. */
  delayMs = 0;
  #active: ActiveFault[] = [];

  get isEmpty(): boolean {
    return this.#active.length === 0;
  }

  /** @throws LamplightError `CHAIN__INVALID_INPUT` */
  add(fault: Fault): void {
    checkFault(fault);
    const hasStatus = fault.status !== undefined;
    if (hasStatus === (fault.code !== undefined)) throw invalid("status", "or code must be given, not both");
    if (hasStatus && !isWhole(fault.status!, 400, 599)) throw invalid("status", "must be 400 to 599");
    if (!hasStatus && !isWhole(fault.code!, -(2 ** 31), 2 ** 31))
      throw invalid("code", "must be a whole number");
    if (!isWhole(fault.times ?? 1, 1, Number.MAX_SAFE_INTEGER)) throw invalid("times", "must be 1 or more");
    this.#active.push({ ...fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#active = [];
    this.delayMs = 0;
  }

  /** The fault of the next call of this method, and counts that call. Null: it does not fail. */
  take(method: string): Fault | null {
    const found = this.#active.find((fault) => (fault.method ?? method) === method);
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left === 0) this.#active = this.#active.filter((fault) => fault !== found);
    return found;
  }
}

const checkFault = onlyProperties<Fault>()("method", "status", "code", "message", "times", "retryAfter");

export const faultMessage = ({ message = "Injected fault" }: Fault): string => message;

const isWhole = (value: number, from: number, to: number): boolean =>
  Number.isSafeInteger(value) && value >= from && value <= to;

const invalid = (property: string, reason: string): LamplightError =>
  new LamplightError("CHAIN__INVALID_INPUT", { property, reason });
