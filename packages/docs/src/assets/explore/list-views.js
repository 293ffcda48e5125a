import { answerJson, callCode } from "./call-code.js";
import { addressLink, copyButton, h, number, short, sol } from "./dom.js";
import { gallery, PAGE } from "./gallery.js";
import { picture } from "./picture-frame.js";
import { call } from "./rpc.js";

const search = async (params) => {
  const answer = await call("searchAssets", { ...params, limit: PAGE });
  if (answer.error !== null) throw answer.error;
  return answer;
};

const heading = (title, address, ...more) =>
  h(
    "header",
    { class: "heading" },
    h("h1", {}, title),
    h("p", {}, h("code", {}, address), " ", copyButton(address, "Copy address")),
    ...more,
  );

export const walletView = async (ownerAddress) => {
  const answer = await search({ ownerAddress, options: { showNativeBalance: true, showFungible: true } });
  const { total, nativeBalance } = answer.result;
  return [
    heading(
      `Wallet ${short(ownerAddress)}`,
      ownerAddress,
      h("p", { class: "lead" }, `${number(total)} assets · ${sol(nativeBalance?.lamports ?? 0)}`),
      h("p", {}, h("a", { href: `#/account/${ownerAddress}` }, "Show the account")),
    ),
    gallery(answer),
    callCode(answer),
    answerJson(answer),
  ];
};

export const collectionView = async (address) => {
  const [about, answer] = await Promise.all([
    call("getAsset", { id: address }),
    search({ grouping: ["collection", address] }),
  ]);
  const { metadata } = about.result?.content ?? {};
  const shown = about.error === null ? picture(about.result) : null;
  return [
    h(
      "div",
      { class: "collection" },
      shown && h("div", { class: "shown" }, shown.frame, shown.button),
      heading(
        String(metadata?.name || `Collection ${short(address)}`),
        address,
        h("p", { class: "lead" }, `${number(answer.result.total)} assets`),
        h("p", {}, "Its own asset: ", addressLink("asset", address)),
      ),
    ),
    gallery(answer),
    callCode(answer),
    answerJson(answer),
  ];
};

export const homeView = async () => {
  const answer = await search({ sortBy: { sortBy: "created", sortDirection: "desc" }, interface: "V1_NFT" });
  return [
    h("h1", {}, "Explorer"),
    h(
      "p",
      { class: "lead" },
      "Paste an address above: a wallet, a collection, an asset or any account. Or start with the newest NFTs that this server knows.",
    ),
    gallery(answer),
    callCode(answer),
  ];
};
