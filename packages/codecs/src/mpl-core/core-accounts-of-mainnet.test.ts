// Accounts of MPL Core as mainnet has them, compared with their recorded form.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAddress } from "../base58/encode-base58.ts";
import { type CoreAccount, decodeCoreAccount } from "./decode-core-account.ts";
import type { ExternalAdapter, ExtraAccount } from "./external-adapters.ts";
import type { PluginAuthority } from "./plugin-authority.ts";
import type { CorePluginData } from "./plugins.ts";

const shared = process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared");
const accountFiles = globSync(join(shared, "das-cases/*/*/accounts/*.json"));
const expectedFile = join(shared, "fixtures/expected/accounts.json");
const isMissing = accountFiles.length === 0 || !existsSync(expectedFile);
if (isMissing) console.warn(`skipped: no shared test data at ${shared}`);

const coreProgram = "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d";
const realAccounts = accountFiles
  .map((file) => JSON.parse(readFileSync(file, "utf8")) as { pubkey: string; owner: string; data: string })
  .filter(({ owner }) => owner === coreProgram)
  .map(({ pubkey, data }) => ({ address: pubkey, data: new Uint8Array(Buffer.from(data, "base64")) }));

interface ExpectedAccount {
  readonly address: string;
  readonly kind: string;
  readonly size: number;
  readonly decoded: Record<string, unknown>;
}

// ---- our records in the words of the expectations -----------------------------------------------------------

const authority = (value: PluginAuthority): unknown =>
  value.kind === "address"
    ? { address: encodeAddress(value.address) }
    : { none: "None", owner: "Owner", updateAuthority: "UpdateAuthority" }[value.kind];

const pascal = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

const without = (value: object, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const pluginValue = (data: CorePluginData): unknown => {
  switch (data.kind) {
    case "royalties":
      return {
        bp: data.basisPoints,
        creators: data.creators.map((creator) => [encodeAddress(creator.address), creator.percentage]),
        rule:
          data.ruleSet.kind === "none"
            ? "None"
            : [
                data.ruleSet.kind === "programDenyList" ? "deny" : "allow",
                data.ruleSet.programs.map(encodeAddress),
              ],
      };
    case "updateDelegate":
      return { add: data.additionalDelegates.map(encodeAddress) };
    case "verifiedCreators":
      return {
        sig: data.signatures.map((signature) => [encodeAddress(signature.address), signature.verified]),
      };
    case "autograph":
      return {
        sig: data.signatures.map((signature) => [encodeAddress(signature.address), signature.message]),
      };
    default:
      return without(data, "kind");
  }
};

const extraAccountNumbers: readonly ExtraAccount["kind"][] = [
  "preconfiguredProgram",
  "preconfiguredCollection",
  "preconfiguredOwner",
  "preconfiguredRecipient",
  "preconfiguredAsset",
];

const adapterValue = (adapter: ExternalAdapter): unknown => {
  switch (adapter.kind) {
    case "oracle": {
      const { baseAddressConfig: config, resultsOffset } = adapter;
      return {
        base: encodeAddress(adapter.baseAddress),
        cfg: config && {
          t: extraAccountNumbers.indexOf(config.kind),
          s: config.isSigner,
          w: config.isWritable,
        },
        off:
          resultsOffset.kind === "custom"
            ? { custom: String(resultsOffset.offset) }
            : pascal(resultsOffset.kind),
      };
    }
    case "appData":
    case "linkedAppData":
      return { da: authority(adapter.dataAuthority), s: pascal(adapter.schema) };
    case "dataSection":
      if (adapter.parent.kind !== "linkedAppData") throw new Error("no expectation has such a parent");
      return { parent: { lad: authority(adapter.parent.dataAuthority) }, s: pascal(adapter.schema) };
    default:
      throw new Error(`no expectation has ${adapter.kind}`);
  }
};

const inExpectedWords = (account: CoreAccount | null): unknown => {
  if (account?.kind !== "asset" && account?.kind !== "collection") return account;
  const base =
    account.kind === "asset"
      ? {
          owner: encodeAddress(account.assetOwner),
          ua:
            account.updateAuthority.kind === "none"
              ? "None"
              : account.updateAuthority.kind === "address"
                ? ["Address", encodeAddress(account.updateAuthority.address)]
                : ["Collection", encodeAddress(account.updateAuthority.collection)],
          seq: account.seq,
        }
      : { ua: encodeAddress(account.updateAuthority), minted: account.numMinted, size: account.currentSize };
  return {
    ...base,
    name: account.name,
    uri: account.uri,
    plugins: account.plugins.map((plugin) => ({
      name: pascal(plugin.data.kind),
      auth: authority(plugin.authority),
      off: Number(plugin.offset),
      v: pluginValue(plugin.data),
    })),
    ext: account.externalPlugins.map((plugin) => ({
      name: pascal(plugin.adapter.kind),
      auth: authority(plugin.authority),
      off: Number(plugin.offset),
      checks: plugin.lifecycleChecks?.map(({ event, flags }) => [event, flags]) ?? null,
      dOff: plugin.dataRange && Number(plugin.dataRange.offset),
      dLen: plugin.dataRange && Number(plugin.dataRange.length),
      v: adapterValue(plugin.adapter),
      data: plugin.data && Buffer.from(plugin.data).toString("base64"),
    })),
  };
};

const comparable = (decoded: Record<string, unknown>): unknown => {
  const plugins = (decoded["plugins"] ?? []) as Record<string, unknown>[];
  const ext = (decoded["ext"] ?? []) as Record<string, unknown>[];
  return {
    ...without(decoded, "baseLength", "registryOffset"),
    plugins: plugins.map((plugin) => without(plugin, "type", "endOff")),
    ext: ext.map((plugin) => ({ data: null, ...without(plugin, "type", "endOff") })),
  };
};

describe.skipIf(isMissing)("decodeCoreAccount on real accounts", () => {
  // The body of a skipped `describe` runs all the same.
  const expected = (
    isMissing ? [] : (JSON.parse(readFileSync(expectedFile, "utf8")) as ExpectedAccount[])
  ).filter(({ kind }) => kind === "core-asset" || kind === "core-collection");

  test.each(expected.map((entry) => [entry.kind, entry.address, entry] as const))(
    "decodes %s %s as expected",
    (_kind, address, entry) => {
      const accounts = realAccounts.filter(
        (real) => real.address === address && real.data.length === entry.size,
      );
      expect(accounts.length).toBeGreaterThan(0);
      const decoded = accounts.map(({ data }) => inExpectedWords(decodeCoreAccount(data)));
      expect(decoded).toContainEqual(comparable(entry.decoded));
    },
  );

  test("decodes every account the program owns, to its last plugin", () => {
    expect(realAccounts.length).toBeGreaterThan(20);
    for (const { data } of realAccounts) {
      const account = decodeCoreAccount(data);
      expect(account?.kind).toMatch(/^(asset|collection)$/);
      if (account?.kind !== "asset" && account?.kind !== "collection") continue;
      expect(account.complete).toBe(true);
      expect([...account.unknownPlugins, ...account.unknownExternalPlugins]).toEqual([]);
    }
  });

  test("answers a record or null for every cut and for changed bytes", () => {
    const cuts = fc.constantFrom(...realAccounts).chain(({ data }) =>
      fc.record({
        data: fc.constant(data),
        length: fc.integer({ min: 0, max: data.length }),
        changes: fc.array(fc.tuple(fc.nat({ max: data.length - 1 }), fc.integer({ min: 0, max: 255 })), {
          maxLength: 6,
        }),
      }),
    );
    fc.assert(
      fc.property(cuts, ({ data, length, changes }) => {
        const changed = data.slice(0, length);
        for (const [at, byte] of changes) if (at < length) changed[at] = byte;
        const account = decodeCoreAccount(changed);
        if (account?.kind === "asset" || account?.kind === "collection") {
          const plugins = account.plugins.length + account.unknownPlugins.length;
          expect(plugins + account.externalPlugins.length).toBeLessThanOrEqual(changed.length / 10);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
