// The explorer: one view for each kind of address, chosen by the part of the location behind #.
import { accountView } from "./account-view.js";
import { assetView } from "./asset-view.js";
import { h, number } from "./dom.js";
import { collectionView, homeView, walletView } from "./list-views.js";
import { usePictures } from "./picture-frame.js";
import { call, findKey, readConfig, readSlot, useKey } from "./rpc.js";
import { searchView } from "./search-view.js";

const views = {
  wallet: walletView,
  collection: collectionView,
  asset: assetView,
  account: accountView,
  search: searchView,
};
const place = document.getElementById("view");
const SLOT_MS = 1000;

const failure = (error) => [
  h("h1", {}, "That did not work"),
  h("p", { class: "bad", role: "alert" }, error.message),
  error.data?.hint ? h("p", {}, error.data.hint) : null,
  h("p", {}, h("a", { href: "#/" }, "Back to the start")),
];

let newest = 0;
const show = async () => {
  const run = ++newest;
  const [kind = "", value = ""] = location.hash.replace(/^#\//, "").split(/[/?]/, 2);
  const given = kind === "search" ? (location.hash.split("?")[1] ?? "") : decodeURIComponent(value);
  place.setAttribute("aria-busy", "true");
  const parts = await (views[kind] ?? homeView)(given).catch(failure);
  if (run !== newest) return;
  place.replaceChildren(...parts.filter(Boolean));
  place.setAttribute("aria-busy", "false");
  document.title = `${place.querySelector("h1")?.textContent ?? "Explorer"} · Lamplight`;
  if (kind !== "search") scrollTo(0, 0);
};

/** What an address is: an asset, a collection with members, or a wallet or other account. */
const kindOf = async (address) => {
  const [members, asset] = await Promise.all([
    call("searchAssets", { grouping: ["collection", address], limit: 1 }),
    call("getAsset", { id: address }),
  ]);
  if (members.result?.total > 0) return "collection";
  if (asset.error === null) return "asset";
  const owned = await call("searchAssets", { ownerAddress: address, limit: 1 });
  return owned.result?.total > 0 ? "wallet" : "account";
};

const startSearch = () => {
  const form = document.getElementById("find");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const address = form.elements.address.value.trim();
    if (address !== "") location.hash = `#/${await kindOf(address)}/${encodeURIComponent(address)}`;
  });
};

const startSlot = () => {
  const element = document.getElementById("slot");
  const tick = async () => {
    if (document.hidden) return;
    const slot = await readSlot().catch(() => null);
    element.textContent = slot === null ? "not ready" : `slot ${number(slot)}`;
  };
  setInterval(tick, SLOT_MS);
  return tick();
};

const askKey = () => {
  const form = h(
    "form",
    { class: "key" },
    h("h1", {}, "Explorer"),
    h(
      "p",
      {},
      "This server has no public key. Give the key that you call it with; it is kept for this tab only.",
    ),
    h(
      "label",
      {},
      "API key",
      h("input", { name: "key", type: "password", required: true, autocomplete: "off" }),
    ),
    h("button", { type: "submit", class: "primary" }, "Open"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(form.elements.key.value);
    start();
  });
  place.replaceChildren(form);
};

const start = () => {
  addEventListener("hashchange", show);
  return show();
};

startSearch();
startSlot();
const config = await readConfig();
usePictures(config);
if (findKey(config) === "") askKey();
else await start();
