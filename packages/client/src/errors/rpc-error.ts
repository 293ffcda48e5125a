import type { RpcErrorName } from "../generated/error-codes.ts";
import { errorKinds } from "../generated/error-kinds.ts";
import { ClientError, type ErrorOrigin } from "./client-error.ts";

/** The error member of a JSON-RPC response. */
export interface WireError {
  /** JSON-RPC error code. */
  readonly code: number;
  /** One sentence of the server. */
  readonly message: string;
  /** Values of this error; absent where there are none. */
  readonly data?: unknown;
}

/** Where the refusal comes from, with what its HTTP answer adds. */
export interface RpcErrorOrigin extends ErrorOrigin {
  /** HTTP status of the answer; 200 for errors of a call. */
  readonly status?: number | undefined;
  /** Seconds, or a date, as the server wrote it. */
  readonly retryAfter?: string | null | undefined;
}

/**
 * A call that the server refused. Each error of the contract has a class of its own, such as `AssetNotFoundError`, and
 * a guard, such as `isAssetNotFound`; `name` is the name of that class. An error that this version does not know has
 * `kind` null and the name `RpcError`.
 *
 * ```ts
 * try {
 *   await client.getAsset({ id });
 * } catch (error) {
 *   if (!(error instanceof RpcError) || error.kind !== "AssetNotFound") throw error;
 *   console.log("no such asset");
 * }
 * ```
 */
export class RpcError extends ClientError {
  /** Name of the error in the contract. */
  declare readonly kind: RpcErrorName | null;
  /** One of `rpcErrorCodes`. */
  declare readonly code: number;
  /** Values that the contract defines for this error, such as `{ parameter, position }`. */
  declare readonly data: unknown;
  /** The parameter that was refused. */
  declare readonly parameter: string | undefined;
  /** Its position in the call, from 1; not set in calls by name. */
  declare readonly position: number | undefined;
  /** HTTP status of the answer; 200 for most errors of a call. */
  declare readonly status: number;
  /** Header `Retry-After`: seconds, or an HTTP date; null without it. */
  declare readonly retryAfter: string | null;

  constructor({ code, message, data }: WireError, origin: RpcErrorOrigin = {}) {
    const { parameter, position, hint, id, reason } = membersOf(data);
    const kind = kindOf(reason) ?? kindOf(message) ?? kindOf(String(code)) ?? null;
    super(message, {
      status: STATUS_OK,
      retryAfter: null,
      ...origin,
      kind,
      code,
      data,
      parameter,
      position,
      name: kind === null ? "RpcError" : kind.replace(/(Error)?$/, "Error"),
      docs: kind === null || !origin.docs ? undefined : `${origin.docs}/${kind}.html`,
      hint: hint ?? origin.hint,
      requestId: origin.requestId ?? (code === INTERNAL_ERROR ? id : undefined),
    } as RpcErrorOrigin);
  }
}

const kindOf = (sign: string | undefined): RpcErrorName | undefined =>
  sign !== undefined && Object.hasOwn(errorKinds, sign) ? errorKinds[sign] : undefined;

const INTERNAL_ERROR = -32_603;

const STATUS_OK = 200;

/** Errors of the contract have these members in `data`; an RPC node may send a text. */
interface Details {
  readonly parameter?: string;
  readonly position?: number;
  readonly hint?: string;
  readonly id?: string;
  readonly reason?: string;
}

const membersOf = (data: unknown): Details =>
  typeof data === "object" && data !== null ? (data as Details) : {};
