import { answerJson, callCode } from "./call-code.js";
import { addressLink, copyButton, h, short } from "./dom.js";
import { gallery, PAGE } from "./gallery.js";
import { foundAssets, liveList } from "./live-list.js";
import { namesList } from "./names.js";
import { picture } from "./picture-frame.js";
import { call, callOrThrow } from "./rpc.js";
import { filterForm, filterParams, sortOf } from "./wallet-view.js";

const memberKinds = ["V1_NFT", "ProgrammableNFT", "MplCoreAsset", "MplBubblegumV2"];

export const collectionView = async (address, query) => {
  const form = filterForm(memberKinds);
  const total = h("p", { class: "quiet", role: "status" });
  const [about, list] = await Promise.all([
    call("getAsset", { id: address }),
    liveList({
      form,
      path: `#/collection/${address}`,
      query,
      total,
      paramsOf: (fields) => ({ grouping: ["collection", address], ...filterParams(fields) }),
      listOf: ({ name, ...params }, status) =>
        name === undefined ? foundAssets(params) : namesList(name, params, status),
    }),
  ]);
  const { metadata } = about.result?.content ?? {};
  const shown = about.error === null ? picture(about.result) : null;
  return [
    h(
      "div",
      { class: "collection" },
      shown && h("div", { class: "shown" }, shown.frame, shown.button),
      h(
        "header",
        { class: "heading" },
        h("h1", {}, String(metadata?.name || `Collection ${short(address)}`)),
        h("p", {}, h("code", {}, address), " ", copyButton(address, "Copy address")),
        h("p", {}, "Its own asset: ", addressLink("asset", address)),
      ),
    ),
    form,
    total,
    list,
  ];
};

export const homeView = async () => {
  const params = { sortBy: sortOf(), tokenType: "nonFungible", limit: PAGE };
  const answer = await callOrThrow("searchAssets", params);
  return [
    h("h1", {}, "Explorer"),
    h(
      "p",
      { class: "lead" },
      "Paste an address above: a wallet, a collection, an asset or any account. Or type a name, or start with the newest NFTs that this server knows.",
    ),
    gallery(answer),
    callCode(answer),
    answerJson(answer),
  ];
};
