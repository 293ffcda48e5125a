import { h, number, scaled, short } from "./dom.js";
import { picture } from "./picture-frame.js";
import { call } from "./rpc.js";

/** The name in its metadata; empty where they have none. */
export const givenName = (asset) => String(asset.content?.metadata?.name ?? "");

export const nameOf = (asset) => givenName(asset) || short(asset.id);

const isFungible = (asset) => asset.interface.startsWith("Fungible");

/** `#3` of a print, `23 prints` of a master edition, null of anything else. */
export const printLabel = ({ supply }) => {
  if ((supply?.edition_number ?? null) !== null) return `#${number(supply.edition_number)}`;
  return supply?.print_current_supply > 0 ? `${number(supply.print_current_supply)} prints` : null;
};

const badgesOf = (asset) =>
  [
    printLabel(asset),
    asset.burnt && "burnt",
    asset.compression?.compressed && "compressed",
    asset.ownership?.frozen && "frozen",
  ].filter(Boolean);

/** What the owner that was searched for holds; null where the answer does not say. */
const amountOf = (asset) => {
  const { balance, decimals } = asset.token_info ?? {};
  if (!isFungible(asset) || balance === undefined) return null;
  const symbol = String(asset.content?.metadata?.symbol ?? "");
  return h("span", { class: "amount" }, `${scaled(balance, decimals)} ${symbol}`.trim());
};

const card = (asset, hasOwner) => {
  const { frame, button } = picture(asset);
  return h(
    "li",
    { class: "shown" },
    h(
      "a",
      { href: `#/asset/${asset.id}`, class: "card" },
      frame,
      h("span", { class: "name" }, nameOf(asset)),
      hasOwner ? amountOf(asset) : null,
      h(
        "span",
        { class: "kind" },
        asset.interface,
        badgesOf(asset).map((badge) => h("span", { class: "badge" }, badge)),
      ),
    ),
    button,
  );
};

export const PAGE = 48;

/**
 * Assets as a gallery that can grow.
 *
 * @returns `add` appends assets; `element` is the list, with a button for pictures that wait for a click
 */
export const cards = (hasOwner = false) => {
  const list = h("ul", { class: "gallery" });
  const revealAll = h("button", { type: "button", class: "reveal-all" }, "Show all pictures");
  const asked = h("p", { class: "quiet", hidden: true }, revealAll, " Their hosts see your address.");
  const reveals = () => [...list.querySelectorAll(".reveal")];
  revealAll.addEventListener("click", () => {
    for (const button of reveals()) button.click();
    asked.hidden = true;
  });
  return {
    element: h("div", {}, asked, list),
    list,
    add: (assets) => {
      list.append(...assets.map((asset) => card(asset, hasOwner)));
      asked.hidden = reveals().length === 0;
    },
  };
};

/** Rows of a search as a gallery, with a button for the next page. */
export const gallery = (answer) => {
  const { element, list, add } = cards(answer.params.ownerAddress !== undefined);
  const more = h("button", { type: "button", class: "more" }, "Show more");
  const status = h("p", { class: "quiet", role: "status" });
  let cursor;
  const show = ({ result }) => {
    add(result.items);
    cursor = result.cursor;
    more.hidden = cursor === undefined;
    more.textContent = "Show more";
    status.textContent =
      result.total === 0
        ? "No asset matches."
        : `${number(list.children.length)} of ${number(result.total)} shown`;
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    const { page: _page, ...params } = answer.params;
    const next = await call("searchAssets", { ...params, cursor }).catch((error) => ({ error }));
    more.disabled = false;
    if (!next.error) return show(next);
    status.textContent = next.error.message;
    more.textContent = "Retry";
    return undefined;
  });
  show(answer);
  return h("div", {}, element, status, more);
};
