import { h, number } from "./dom.js";
import { picture } from "./picture-frame.js";
import { call } from "./rpc.js";
import { heldAmount } from "./token-amounts.js";

const nameOf = (asset) => String(asset.content?.metadata?.name ?? "") || "Without a name";

const badgesOf = (asset) =>
  [
    asset.burnt && "burnt",
    asset.compression?.compressed && "compressed",
    asset.ownership?.frozen && "frozen",
    asset.interface.startsWith("Fungible") && "token",
  ].filter(Boolean);

/** A decimal number with separators in its whole part, digit for digit. */
const grouped = (text) => text.replace(/^\d+/, (whole) => number(BigInt(whole)));

/** Filled in when it is known: an own call for each token. */
const amount = (asset, owner) => {
  if (owner === undefined || !asset.interface.startsWith("Fungible")) return null;
  const element = h("span", { class: "amount" });
  const symbol = String(asset.content?.metadata?.symbol ?? "");
  const show = (held) => held !== null && element.append(`${grouped(held)} ${symbol}`.trim());
  heldAmount(owner, asset).then(show, () => undefined);
  return element;
};

const card = (asset, owner) => {
  const { frame, button } = picture(asset);
  return h(
    "li",
    { class: "shown" },
    h(
      "a",
      { href: `#/asset/${asset.id}`, class: "card" },
      frame,
      h("span", { class: "name" }, nameOf(asset)),
      amount(asset, owner),
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

/** Rows of a search as a gallery, with a button for the next page. */
export const gallery = (answer) => {
  const list = h("ul", { class: "gallery" });
  const more = h("button", { type: "button", class: "more" }, "Show more");
  const status = h("p", { class: "quiet", role: "status" });
  const revealAll = h("button", { type: "button", class: "reveal-all", hidden: true }, "Show all pictures");
  const reveals = () => [...list.querySelectorAll(".reveal")];
  revealAll.addEventListener("click", () => {
    for (const button of reveals()) button.click();
    revealAll.hidden = true;
  });
  let cursor;
  const add = ({ result }) => {
    list.append(...result.items.map((asset) => card(asset, answer.params.ownerAddress)));
    cursor = result.cursor;
    more.hidden = cursor === undefined;
    revealAll.hidden = reveals().length === 0;
    status.textContent = `${number(list.children.length)} of ${number(result.total)} shown`;
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    const { page: _page, ...params } = answer.params;
    const next = await call("searchAssets", { ...params, cursor }).catch((error) => ({ error }));
    if (next.error) status.textContent = next.error.message;
    else add(next);
    more.disabled = false;
  });
  add(answer);
  return h("div", {}, revealAll, list, status, more);
};
