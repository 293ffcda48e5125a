import { answerJson, callCode } from "./call-code.js";
import { addressLink, copyButton, h, number, scaled } from "./dom.js";
import { nameOf, printLabel } from "./gallery.js";
import { findMaster, hasPrints, isPrint } from "./master-edition.js";
import { picture, pictureLink } from "./picture-frame.js";
import { pluginSections } from "./plugins.js";
import { callOrThrow } from "./rpc.js";

const yes = (value) => (value ? "yes" : "no");

/** Rows of name and value; what is null or empty has no row. */
const facts = (rows) =>
  h(
    "dl",
    { class: "facts" },
    rows
      .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
      .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );

const printsLink = (id) => h("a", { href: `#/prints/${id}` }, "All prints");

const supplyRows = ({ id, supply, token_info: token }, master) => [
  [
    "Prints",
    hasPrints({ supply }) &&
      h(
        "span",
        {},
        `${number(supply.print_current_supply)} of ${supply.print_max_supply ?? "unlimited"} · `,
        printsLink(id),
      ),
  ],
  [
    "Print number",
    isPrint({ supply }) && h("span", {}, `#${number(supply.edition_number)} · `, printsLink(id)),
  ],
  ["Master edition", master && h("a", { href: `#/asset/${master.id}` }, nameOf(master))],
  ["Supply", token && scaled(token.supply, token.decimals)],
  ["Decimals", token && String(token.decimals)],
  ["Token program", token?.token_program && addressLink("account", token.token_program)],
  ["Mint authority", token?.mint_authority && addressLink("wallet", token.mint_authority)],
  ["Freeze authority", token?.freeze_authority && addressLink("wallet", token.freeze_authority)],
];

const coreRows = ({ mpl_core_info: core }) => [
  ["Members now", typeof core?.current_size === "number" && number(core.current_size)],
  ["Members ever minted", typeof core?.num_minted === "number" && number(core.num_minted)],
];

const compressionRows = ({ compression }, { incomplete }) =>
  compression?.compressed
    ? [
        ["Tree", addressLink("account", compression.tree)],
        // The answer names its own tree, and no other, where a leaf of it is missing.
        ["Tree is complete", yes(incomplete === null)],
        ["Leaf", number(compression.leaf_id)],
        ["Sequence number", number(compression.seq)],
        ["Leaf hash", h("code", {}, compression.asset_hash)],
      ]
    : [];

const groupRows = ({ grouping = [] }) =>
  grouping.map(({ group_key: name, group_value: value, verified, collection_metadata: about }) => [
    name === "collection" ? "Collection" : name,
    h(
      "span",
      {},
      about?.name ? `${about.name} ` : "",
      addressLink("collection", value),
      verified === false ? h("span", { class: "badge" }, "not verified") : "",
    ),
  ]);

const creators = ({ creators: list = [] }) =>
  list.length === 0
    ? null
    : h(
        "ul",
        { class: "plain" },
        list.map(({ address, share, verified }) =>
          h(
            "li",
            {},
            addressLink("wallet", address),
            ` ${share} % `,
            h("span", { class: "badge" }, verified ? "signed" : "not signed"),
          ),
        ),
      );

const traits = ({ content }) => {
  const list = content?.metadata?.attributes;
  if (!Array.isArray(list) || list.length === 0) return null;
  return h(
    "dl",
    { class: "traits" },
    list
      .filter((trait) => typeof trait === "object" && trait !== null)
      .map(({ trait_type: name, value }) =>
        h("div", {}, h("dt", {}, String(name ?? "")), h("dd", {}, String(value ?? ""))),
      ),
  );
};

const allFacts = (asset, answer, master) =>
  facts([
    ["Id", h("span", {}, addressLink("account", asset.id), " ", copyButton(asset.id))],
    ["Owner", asset.ownership.owner && addressLink("wallet", asset.ownership.owner)],
    ["Delegate", asset.ownership.delegate && addressLink("wallet", asset.ownership.delegate)],
    ...groupRows(asset),
    ["Authority", asset.authorities?.[0]?.address && addressLink("wallet", asset.authorities[0].address)],
    ["Creators", creators(asset)],
    ["Royalty", asset.royalty && `${asset.royalty.basis_points / 100} %`],
    ...supplyRows(asset, master),
    ...coreRows(asset),
    ["Can be changed", yes(asset.mutable)],
    ["Frozen", yes(asset.ownership.frozen)],
    ["Burnt", yes(asset.burnt)],
    ...compressionRows(asset, answer),
    ["Off-chain JSON", asset.content?.json_uri && h("code", {}, asset.content.json_uri)],
    ["Last updated at slot", answer.updatedSlot && number(Number(answer.updatedSlot))],
    ["Answered at slot", answer.slot && number(Number(answer.slot))],
  ]);

export const assetView = async (id) => {
  const params = {
    id,
    config: { showFungible: true, showCollectionMetadata: true, showUnverifiedCollections: true },
  };
  const answer = await callOrThrow("getAsset", params);
  const asset = answer.result;
  const { metadata = {} } = asset.content ?? {};
  const { frame, button } = picture(asset);
  const link = pictureLink(asset);
  // Without it the page lacks one row.
  const master = await findMaster(asset).catch(() => null);
  return [
    h(
      "div",
      { class: "asset" },
      h("div", {}, h("div", { class: "shown" }, frame, button), link && h("p", {}, link)),
      h(
        "div",
        {},
        h("p", { class: "quiet" }, asset.interface),
        h(
          "h1",
          {},
          nameOf(asset),
          metadata.symbol ? ` (${metadata.symbol})` : "",
          asset.supply?.edition_number ? ` ${printLabel(asset)}` : "",
        ),
        metadata.description ? h("p", { class: "lead" }, String(metadata.description)) : null,
        traits(asset),
        allFacts(asset, answer, master),
      ),
    ),
    ...pluginSections(asset),
    callCode(answer),
    answerJson(answer),
  ];
};
