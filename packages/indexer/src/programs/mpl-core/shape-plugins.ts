import { type CorePlugin, type CorePluginData, encodeAddress, type UnknownPlugin } from "@lamplight/codecs";
import type { JsonValue } from "@lamplight/core";
import type { JsonMembers } from "../../record/asset-record.ts";
import { shapeAuthority } from "./shape-authority.ts";
import { snakeCase } from "./wire-names.ts";

/** The member `plugins`: by plugin name; where an account repeats a type, the last one counts. */
export const shapePlugins = (plugins: readonly CorePlugin[]): JsonMembers =>
  Object.fromEntries(
    plugins.map(({ data, index, offset, authority }) => [
      snakeCase(data.kind),
      { data: shapeData(data), index, offset, authority: shapeAuthority(authority) },
    ]),
  );

/** The member `unknown_plugins`: types not known here and payloads that do not decode, as base64. */
export const shapeUnknownPlugins = (plugins: readonly UnknownPlugin[]): readonly JsonValue[] =>
  plugins.map(({ type, bytes, index, offset, authority }) => ({
    data: Buffer.from(bytes).toString("base64"),
    type,
    index,
    offset,
    authority: shapeAuthority(authority),
  }));

const shapeData = (plugin: CorePluginData): JsonValue => {
  switch (plugin.kind) {
    case "royalties":
      return {
        creators: plugin.creators.map(({ address, percentage }) => ({
          address: encodeAddress(address),
          percentage,
        })),
        rule_set:
          plugin.ruleSet.kind === "none"
            ? "None"
            : { [snakeCase(plugin.ruleSet.kind)]: plugin.ruleSet.programs.map(encodeAddress) },
        basis_points: plugin.basisPoints,
      };
    case "freezeDelegate":
    case "permanentFreezeDelegate":
    case "freezeExecute":
    case "permanentFreezeExecute":
      return { frozen: plugin.frozen };
    case "updateDelegate":
      return { additional_delegates: plugin.additionalDelegates.map(encodeAddress) };
    case "attributes":
      return { attribute_list: plugin.attributeList.map(({ key, value }) => ({ key, value })) };
    case "edition":
      return { number: plugin.number };
    case "masterEdition":
      return { max_supply: plugin.maxSupply, name: plugin.name, uri: plugin.uri };
    case "verifiedCreators":
      return {
        signatures: plugin.signatures.map(({ address, verified }) => ({
          address: encodeAddress(address),
          verified,
        })),
      };
    case "autograph":
      return {
        signatures: plugin.signatures.map(({ address, message }) => ({
          address: encodeAddress(address),
          message,
        })),
      };
    case "groups":
      return { groups: plugin.groups.map(encodeAddress) };
    case "burnDelegate":
    case "transferDelegate":
    case "permanentTransferDelegate":
    case "permanentBurnDelegate":
    case "addBlocker":
    case "immutableMetadata":
    case "bubblegumV2":
      return {};
    default:
      return unreachable(plugin);
  }
};

/** The compiler names the plugin kind that is not shaped yet. */
const unreachable = (plugin: never): never => plugin;
