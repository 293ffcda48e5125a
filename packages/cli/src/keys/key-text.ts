import type { KeyRecord } from "@lamplight/server/command";

/** Whether a key may call now, in one word. */
export const stateOf = ({ disabled, expires }: KeyRecord, nowMs = Date.now()): string => {
  if (disabled !== null) return "disabled";
  return expires !== null && Date.parse(expires) <= nowMs ? "expired" : "active";
};

/** The limits in one line. */
export const limitsText = ({ limits }: KeyRecord): string => {
  const set = Object.entries(limits).filter(([, value]) => value !== null);
  if (set.length === 0) return "no limits";
  return set
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join("+") : String(value)}`)
    .join(" ");
};

/** Columns as wide as their widest cell. */
export const tableOf = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
};
