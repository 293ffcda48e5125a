import {
  type AdapterSchema,
  encodeAddress,
  type ExternalAdapter,
  type ExternalPlugin,
  type ExtraAccount,
  type LifecycleCheck,
  type Seed,
  type UnknownExternalPlugin,
} from "@lamplight/codecs";
import type { JsonValue } from "@lamplight/core";
import { shapeAdapterData } from "./shape-adapter-data.ts";
import { shapeAuthority } from "./shape-authority.ts";
import { PLUGIN_VALUES_MAX } from "./shape-limits.ts";
import { pascalCase, snakeCase } from "./wire-names.ts";

/** The member `external_plugins`, in the order in which the plugins lie in the account. */
export const shapeExternalPlugins = (plugins: readonly ExternalPlugin[]): readonly JsonValue[] => {
  const parsed = plugins.filter(({ data, adapter }) => data !== null && schemaOf(adapter) !== "binary");
  const valuesMax = Math.floor(PLUGIN_VALUES_MAX / parsed.length);
  return plugins.map((plugin) => ({
    data:
      plugin.data === null ? undefined : shapeAdapterData(plugin.data, schemaOf(plugin.adapter), valuesMax),
    type: pascalCase(plugin.adapter.kind),
    ...shapePlace(plugin),
    adapter_config: shapeConfig(plugin.adapter),
  }));
};

/** The member `unknown_external_plugins`; config and data as base64. */
export const shapeUnknownExternalPlugins = (
  plugins: readonly UnknownExternalPlugin[],
): readonly JsonValue[] =>
  plugins.map((plugin) => ({
    data: plugin.data === null ? undefined : Buffer.from(plugin.data).toString("base64"),
    type: plugin.type,
    ...shapePlace(plugin),
    unknown_adapter_config: Buffer.from(plugin.bytes).toString("base64"),
  }));

type Place = Pick<ExternalPlugin, "index" | "offset" | "authority" | "dataRange" | "lifecycleChecks">;

const shapePlace = ({ index, offset, authority, dataRange, lifecycleChecks }: Place) => ({
  index,
  offset,
  data_len: dataRange?.length,
  authority: shapeAuthority(authority),
  data_offset: dataRange?.offset,
  ...shapeLifecycleChecks(lifecycleChecks ?? []),
});

const lifecycleEvents = ["create", "transfer", "burn", "update", "execute"];

/** Names of the set bits; bits beyond are not named by the program. */
const shapeFlags = (flags: number): readonly string[] =>
  ["CanListen", "CanApprove", "CanReject"].filter((_name, bit) => (flags & (1 << bit)) !== 0);

const shapeLifecycleChecks = (checks: readonly LifecycleCheck[]) => {
  const known: Record<string, readonly string[]> = {};
  const unknown: JsonValue[] = [];
  for (const { event, flags } of checks) {
    const name = lifecycleEvents[event];
    const results = shapeFlags(flags);
    if (name === undefined) unknown.push([event, results]);
    else if (results.length > 0) known[name] = results;
  }
  return {
    lifecycle_checks: Object.keys(known).length === 0 ? undefined : known,
    unknown_lifecycle_checks: unknown.length === 0 ? undefined : unknown,
  };
};

/** Adapters without a schema have no data by the program's rules; should there be any, it is shown as bytes. */
const schemaOf = (adapter: ExternalAdapter): AdapterSchema =>
  "schema" in adapter ? adapter.schema : "binary";

const shapeConfig = (adapter: ExternalAdapter): JsonValue => {
  switch (adapter.kind) {
    case "lifecycleHook":
    case "linkedLifecycleHook":
      return {
        hooked_program: encodeAddress(adapter.hookedProgram),
        extra_accounts: adapter.extraAccounts?.map(shapeExtraAccount) ?? null,
        data_authority: adapter.dataAuthority && shapeAuthority(adapter.dataAuthority),
        schema: pascalCase(adapter.schema),
      };
    case "oracle":
      return {
        base_address: encodeAddress(adapter.baseAddress),
        results_offset: shapeResultsOffset(adapter.resultsOffset),
        base_address_config: adapter.baseAddressConfig && shapeExtraAccount(adapter.baseAddressConfig),
      };
    case "appData":
    case "linkedAppData":
      return { schema: pascalCase(adapter.schema), data_authority: shapeAuthority(adapter.dataAuthority) };
    case "dataSection":
      return {
        schema: pascalCase(adapter.schema),
        parent_key:
          adapter.parent.kind === "linkedAppData"
            ? { linked_app_data: shapeAuthority(adapter.parent.dataAuthority) }
            : { linked_lifecycle_hook: encodeAddress(adapter.parent.program) },
      };
    case "agentIdentity":
      return { uri: adapter.uri };
  }
};

type ResultsOffset = Extract<ExternalAdapter, { kind: "oracle" }>["resultsOffset"];

const shapeResultsOffset = (offset: ResultsOffset): JsonValue => {
  if (offset.kind === "custom") return { custom: offset.offset };
  return offset.kind === "none" ? "NoOffset" : "Anchor";
};

const shapeExtraAccount = (account: ExtraAccount): JsonValue => {
  const use = { is_signer: account.isSigner, is_writable: account.isWritable };
  switch (account.kind) {
    case "address":
      return { address: { address: encodeAddress(account.address), ...use } };
    case "customPda": {
      const custom_program_id = account.customProgram && encodeAddress(account.customProgram);
      return { custom_pda: { seeds: account.seeds.map(shapeSeed), custom_program_id, ...use } };
    }
    default:
      return { [snakeCase(account.kind)]: use };
  }
};

const shapeSeed = (seed: Seed): JsonValue => {
  switch (seed.kind) {
    case "address":
      return { address: encodeAddress(seed.address) };
    case "bytes":
      return { bytes: [...seed.bytes] };
    default:
      return pascalCase(seed.kind);
  }
};
