import { STATUS_CODES } from "node:http";
import { parseRetryAfter } from "@lamplight/errors";
import type { ArchiveUrl } from "./archive-url.ts";

/** A failed request of a download. */
export class FailedTry extends Error {
  override readonly name = "FailedTry";
  /** The wait that the server requested; null when it did not. */
  readonly retryAfterMs: number | null;
  /** Whether a further attempt would fail in the same way. */
  readonly isFinal: boolean;

  constructor(
    reason: string,
    options: {
      readonly cause?: unknown;
      readonly retryAfterMs?: number | null;
      readonly isFinal?: boolean;
    } = {},
  ) {
    super(reason, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.isFinal = options.isFinal ?? false;
  }
}

/** @throws FailedTry when no answer comes */
export const request = async (target: ArchiveUrl, init: RequestInit): Promise<Response> => {
  const headers: Record<string, string> = {
    ...(init.headers as Record<string, string> | undefined),
    // Bytes are counted as stored, without a content encoding.
    "accept-encoding": "identity",
  };
  if (target.authorization !== null) headers["authorization"] = target.authorization;
  try {
    return await fetch(target.url, { ...init, headers });
  } catch (error) {
    throw failedBy(error, target);
  }
};

/** @param error - of a connection; its message may contain secrets */
export const failedBy = (error: unknown, target: ArchiveUrl): FailedTry =>
  new FailedTry(target.redact(reasonOf(error)), { cause: error });

/** An answer that is no success. */
export const failedWith = (response: Response): FailedTry =>
  new FailedTry(`the server answers ${response.status} ${STATUS_CODES[response.status] ?? ""}`.trimEnd(), {
    retryAfterMs: parseRetryAfter(response.headers.get("retry-after") ?? undefined, Date.now()),
  });

const CAUSES_MAX = 8;

/** The innermost cause. The errors around it only record that a request failed. */
const reasonOf = (error: unknown): string => {
  let deepest = error;
  for (let depth = 0; depth < CAUSES_MAX; depth += 1) {
    const cause = causeOf(deepest);
    if (cause === undefined) break;
    deepest = cause;
  }
  return deepest instanceof Error && deepest.message !== "" ? deepest.message : String(deepest);
};

const causeOf = (error: unknown): unknown => {
  if (!(error instanceof Error)) return undefined;
  // An error for each address of a host, all of which failed.
  return error.cause ?? (error instanceof AggregateError ? (error.errors[0] as unknown) : undefined);
};

export const lengthOf = (response: Response): number | null =>
  numberOf(response.headers.get("content-length"));

/** Size of a file that is sent in part; null where the server does not report it, or in another form. */
export const rangeOf = (
  response: Response,
): { readonly start: number | null; readonly total: number | null } | null => {
  const text = response.headers.get("content-range") ?? "";
  const [, start, total] = /^bytes (?:(\d{1,16})-\d{1,16}|\*)\/(\d{1,16}|\*)$/i.exec(text) ?? [];
  return total === undefined ? null : { start: numberOf(start), total: numberOf(total) };
};

const numberOf = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : null;

/** Weak tags do not promise equal bytes. */
export const validatorOf = (response: Response): string => {
  const tag = response.headers.get("etag");
  if (tag !== null && !tag.startsWith("W/")) return tag;
  return response.headers.get("last-modified") ?? "";
};

/** Whether an answer is of another file. Fields that the answer lacks are not compared. */
export const isOfAnother = (response: Response, validator: string): boolean => {
  const said = response.headers.get(validator.startsWith('"') ? "etag" : "last-modified");
  return said !== null && said !== validator;
};
