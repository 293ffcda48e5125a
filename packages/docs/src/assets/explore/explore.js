// The explorer: one view for each kind of address, chosen by the part of the location behind #.
import { accountView } from "./account-view.js";
import { assetView } from "./asset-view.js";
import { h, number } from "./dom.js";
import { findView } from "./find-view.js";
import { collectionView, homeView } from "./list-views.js";
import { usePictures } from "./picture-frame.js";
import { printsView } from "./prints-view.js";
import { findKey, readConfig, readSlot, useKey } from "./rpc.js";
import { searchView } from "./search-view.js";
import { walletView } from "./wallet-view.js";

/** By the first part of the address behind #: each makes elements of the second part and of the query. */
const views = {
  wallet: walletView,
  collection: collectionView,
  asset: assetView,
  prints: printsView,
  account: accountView,
  search: searchView,
  find: findView,
};
const place = document.getElementById("view");
const state = document.getElementById("state");
const SLOT_MS = 1000;

const failure = (error, kind, value) => [
  h("h1", {}, "That did not work"),
  h("p", { class: "bad", role: "alert" }, error.message),
  value && h("p", {}, h("code", {}, value)),
  h(
    "p",
    { class: "buttons" },
    h("button", { type: "button", class: "primary", onclick: () => show() }, "Retry"),
    ["asset", "collection", "prints", "wallet"].includes(kind) &&
      h("a", { href: `#/account/${encodeURIComponent(value)}` }, "Show the account"),
    h("a", { href: "#/" }, "Back to the start"),
  ),
];

/** Text that a visitor or a link put there: a broken escape is shown as it is. */
const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Whether the visitor stays in the view, and chose another part of it. */
let shownBefore = "";
let newest = 0;
const show = async () => {
  const run = ++newest;
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s, 2);
  const [kind, value = ""] = path.split("/", 2);
  place.setAttribute("aria-busy", "true");
  state.textContent = "Loading …";
  const view = Object.hasOwn(views, kind) ? views[kind] : homeView;
  const text = decode(value);
  const parts = await view(text, new URLSearchParams(query)).catch((error) => failure(error, kind, text));
  // A view without parts led to another one.
  if (run !== newest || parts === null) return;
  place.replaceChildren(...parts.filter(Boolean));
  place.setAttribute("aria-busy", "false");
  state.textContent = "";
  document.title = `${place.querySelector("h1")?.textContent ?? "Explorer"} · Lamplight`;
  if (path !== shownBefore) scrollTo(0, 0);
  shownBefore = path;
};

const startSearch = () => {
  const form = document.getElementById("find");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = form.elements.address.value.trim();
    if (text === "") return;
    const hash = `#/find/${encodeURIComponent(text)}`;
    if (location.hash === hash) show();
    else location.hash = hash;
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
