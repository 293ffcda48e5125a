// Plugins and external adapters of MPL Core: what callers give, and how an operation changes them.

import type { CorePluginData, ExternalAdapter, LifecycleCheck, PluginAuthority } from "@lamplight/codecs";
import { ByteWriter } from "../encode/byte-writer.ts";
import { adapterTypes, type CoreAdapterFields, writeAdapter } from "../encode/core-adapters.ts";
import { type CorePluginFields, isCorePluginKind } from "../encode/mpl-core.ts";
import { invalid, readAddress } from "../input.ts";
import type { CorePluginInput, ExternalPluginInput, LifecycleChecksInput } from "./mint-input.ts";

/** Plugins that belong to the owner; the others to the update authority. */
const ownerPlugins: ReadonlySet<string> = new Set([
  "freezeDelegate",
  "burnDelegate",
  "transferDelegate",
  "autograph",
  "freezeExecute",
]);

export const readPlugins = (given: readonly CorePluginInput[]): readonly CorePluginFields[] =>
  given.map(({ authority, ...data }, index) => {
    if (!isCorePluginKind(data.kind)) throw invalid(`plugins[${index}].kind`, "is no plugin of MPL Core");
    const fallback = ownerPlugins.has(data.kind) ? "owner" : "updateAuthority";
    return {
      data: data as CorePluginData,
      authority: readAuthority(authority ?? fallback, `plugins[${index}].authority`),
    };
  });

export const readAdapters = (given: readonly ExternalPluginInput[]): readonly CoreAdapterFields[] =>
  given.map(({ authority = "updateAuthority", lifecycleChecks, data, ...rest }, index) => {
    const adapter = rest as ExternalAdapter;
    const property = `externalPlugins[${index}]`;
    if (!adapterTypes.includes(adapter.kind))
      throw invalid(`${property}.kind`, `must be one of ${adapterTypes.join(", ")}`);
    assertWritable(adapter, property);
    return {
      adapter,
      authority: readAuthority(authority, `${property}.authority`),
      lifecycleChecks: lifecycleChecks === undefined ? null : readChecks(lifecycleChecks, property),
      data: typeof data === "string" ? new TextEncoder().encode(data) : (data ?? null),
    };
  });

const assertWritable = (adapter: ExternalAdapter, property: string): void => {
  try {
    writeAdapter(new ByteWriter(), adapter);
  } catch {
    throw invalid(property, `lacks a member of ${adapter.kind}, or has one of another type`);
  }
};

const events = ["create", "transfer", "burn", "update", "execute"] as const;
const rights = { listen: 1, approve: 2, reject: 4 } as const;

const readChecks = (given: LifecycleChecksInput, property: string): readonly LifecycleCheck[] => {
  const unknown = Object.keys(given).find((name) => !(events as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw invalid(`${property}.lifecycleChecks.${unknown}`, `must be one of ${events.join(", ")}`);
  return events.flatMap((name, event) => {
    const some = given[name];
    if (some === undefined) return [];
    const flags = some.map(
      (right) => rights[right] ?? fail(`${property}.lifecycleChecks.${name}`, Object.keys(rights)),
    );
    return [{ event, flags: flags.reduce((all, one) => all | one, 0) }];
  });
};

const fail = (property: string, words: readonly string[]): never => {
  throw invalid(property, `must have words of ${words.join(", ")}`);
};

const readAuthority = (
  given: NonNullable<CorePluginInput["authority"]>,
  property: string,
): PluginAuthority => {
  if (given === "none" || given === "owner" || given === "updateAuthority") return { kind: given };
  return { kind: "address", address: readAddress(given, property) };
};

/** The plugins with this one, in place of another of its kind. */
export const withPlugin = (
  plugins: readonly CorePluginFields[],
  data: CorePluginData,
  authority: PluginAuthority,
  ifPresent: "replace" | "keep" = "replace",
): readonly CorePluginFields[] => {
  const index = plugins.findIndex((plugin) => plugin.data.kind === data.kind);
  if (index < 0) return [...plugins, { data, authority }];
  return ifPresent === "keep" ? plugins : plugins.with(index, { data, authority });
};

/**
 * The plugins with their PermanentFreezeDelegate set.
 *
 * @throws LamplightError `CHAIN__INVALID_INPUT` where there is none: it can only be added at creation
 */
export const withPermanentFreeze = (
  plugins: readonly CorePluginFields[],
  frozen: boolean,
): readonly CorePluginFields[] => {
  const found = plugins.find(({ data }) => data.kind === "permanentFreezeDelegate");
  if (found === undefined)
    throw invalid("by", 'needs the plugin "permanentFreezeDelegate", which is given at creation');
  return withPlugin(plugins, { kind: "permanentFreezeDelegate", frozen }, found.authority);
};

/** Whether a plugin of this account freezes. */
export const isFrozenBy = (
  plugins: readonly CorePluginFields[],
  kind: "freezeDelegate" | "permanentFreezeDelegate",
): boolean => plugins.some(({ data }) => data.kind === kind && data.frozen);
