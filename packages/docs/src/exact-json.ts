/** Newer than the type library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

interface ReviverContext {
  readonly source?: string;
}

/**
 * Parses JSON so that `JSON.stringify` writes every number back as it was: `1.0` and 18446744073709551615 become raw
 * pieces of text.
 */
export const parseKeepingText = (text: string): unknown =>
  JSON.parse(text, (_name: string, value: unknown, context?: ReviverContext) =>
    typeof value === "number" && context?.source !== undefined && context.source !== String(value)
      ? rawJSON(context.source)
      : value,
  ) as unknown;
