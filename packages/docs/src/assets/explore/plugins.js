// What MPL Core and Token-2022 attach to an asset.
import { addressLink, h } from "./dom.js";
import { valueOf } from "./value.js";

/** `freeze_delegate` as a visitor reads it. */
const titleOf = (name) => {
  const words = String(name)
    .replaceAll("_", " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const authorityOf = (authority) => {
  if (typeof authority !== "object" || authority === null) return null;
  const { type, address } = authority;
  return h(
    "p",
    { class: "quiet" },
    "Authority: ",
    titleOf(type),
    address ? [" ", addressLink("wallet", address)] : null,
  );
};

/** Where a plugin lies in the account says nothing to a visitor. */
const placeNames = new Set(["index", "offset", "data_offset", "data_len", "authority", "type"]);

const withoutPlace = (plugin) =>
  Object.fromEntries(Object.entries(plugin).filter(([name]) => !placeNames.has(name)));

const isEmpty = (value) => value === null || value === undefined || Object.keys(value).length === 0;

const pluginCard = (name, plugin) => {
  const { data, ...rest } = withoutPlace(plugin);
  const shown = isEmpty(rest) ? data : isEmpty(data) ? rest : { ...rest, data };
  return h(
    "section",
    { class: "plugin" },
    h("h3", {}, titleOf(name)),
    authorityOf(plugin.authority),
    isEmpty(shown) ? null : valueOf(shown),
  );
};

const isObject = (value) => typeof value === "object" && value !== null;

const pluginsOf = ({
  plugins,
  external_plugins: external,
  unknown_plugins: unknown,
  unknown_external_plugins: others,
}) => [
  ...Object.entries(plugins ?? {}).map(([name, plugin]) => [name, plugin]),
  ...[...(external ?? []), ...(unknown ?? []), ...(others ?? [])].map((plugin) => [
    plugin?.type ?? "Unknown",
    plugin,
  ]),
];

/** Sections for plugins and extensions; empty where there are none. */
export const pluginSections = (asset) => {
  const plugins = pluginsOf(asset).filter(([, plugin]) => isObject(plugin));
  const extensions = Object.entries(asset.mint_extensions ?? {}).filter(([, value]) => isObject(value));
  return [
    plugins.length > 0 && [
      h("h2", {}, "Plugins"),
      h(
        "div",
        { class: "plugins" },
        plugins.map(([name, plugin]) => pluginCard(name, plugin)),
      ),
    ],
    extensions.length > 0 && [
      h("h2", {}, "Mint extensions"),
      h(
        "div",
        { class: "plugins" },
        extensions.map(([name, value]) => pluginCard(name, { data: value })),
      ),
    ],
  ].flat(2);
};
