import { createHash } from "node:crypto";
import { type IndexReader, isOlderVersion } from "@lamplight/core";
import type { Input } from "./read-cases.ts";

const PAGE_SIZE = 1000;

/** Everything the index says, as text that is equal for equal contents, in any order. */
export const indexContent = async (store: IndexReader): Promise<string> => {
  const assets = await store.readAssetPage(0, PAGE_SIZE);
  const accounts = await store.readAccountPage(null, PAGE_SIZE);
  const lines = [
    // Ordinals report the order of first sight: they alone may differ.
    ...assets.map((asset) => text({ ...asset, ordinal: null })),
    ...accounts.map((state) => text(state)),
  ];
  return lines.toSorted().join("\n");
};

const text = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    const member = this[name];
    if (member instanceof Uint8Array)
      return member.length > 64 ? digest(member) : Buffer.from(member).toString("hex");
    return typeof member === "bigint" ? `${member}n` : member;
  });

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Inputs that leave nothing open: of accounts with several contents at one version (a test's stand-in slots), only
 * the last is kept, as the last arrival would win.
 */
export const decided = (inputs: readonly Input[]): Input[] => {
  const kept: Input[] = [];
  for (const input of inputs) {
    const twin = kept.findIndex((other) => isSameVersion(other, input));
    if (twin >= 0) kept.splice(twin, 1);
    kept.push(input);
  }
  return kept;
};

const isSameVersion = (a: Input, b: Input): boolean =>
  a.kind === "account" &&
  b.kind === "account" &&
  Buffer.compare(a.account.address, b.account.address) === 0 &&
  !isOlderVersion(a.account, b.account) &&
  !isOlderVersion(b.account, a.account);
