// What a visitor typed: an address of any kind, or a part of a name.
import { copyButton, h, number } from "./dom.js";
import { cards, nameOf } from "./gallery.js";
import { call, callOrThrow } from "./rpc.js";
import { sortOf } from "./wallet-view.js";

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** What an address is; null for text that is no address. */
const kindOf = async (text) => {
  if (!ADDRESS.test(text)) return null;
  const [members, asset] = await Promise.all([
    call("searchAssets", { grouping: ["collection", text], limit: 1 }),
    call("getAsset", { id: text }),
  ]);
  if (members.result?.total > 0) return "collection";
  if (asset.error === null) return "asset";
  if (asset.error.code === INVALID_PARAMS) return null;
  const owned = await call("searchAssets", { ownerAddress: text, limit: 1 });
  return owned.result?.total > 0 ? "wallet" : "account";
};

const INVALID_PARAMS = -32602;

/** Leads to the view of an address, or lists the names. */
export const findView = async (text) => {
  const kind = await kindOf(text);
  if (kind === null) return namesView(text);
  location.replace(`#/${kind}/${text}`);
  return null;
};

/** A server searches the names of one wallet; those of a whole chain are read here, a part at a time. */
const READ_ROWS = 250;
const READS_AT_ONCE = 8;

/** Each asset whose name holds the text, among the next newest ones. */
const readNames = async (text, cursor) => {
  const wanted = text.toLowerCase();
  const found = [];
  let next = cursor;
  let read = 0;
  let total = 0;
  for (let count = 0; count < READS_AT_ONCE; count += 1) {
    const start = next === undefined ? {} : { cursor: next };
    const { result } = await callOrThrow("searchAssets", { sortBy: sortOf(), limit: READ_ROWS, ...start });
    found.push(...result.items.filter((asset) => nameOf(asset).toLowerCase().includes(wanted)));
    read += result.items.length;
    ({ total } = result);
    next = result.cursor;
    if (next === undefined) break;
  }
  return { found, next, read, total };
};

const namesView = async (text) => {
  const { element, list, add } = cards();
  const status = h("p", { class: "quiet", role: "status" });
  const more = h("button", { type: "button" }, "Search further");
  let cursor;
  let readSoFar = 0;
  const show = ({ found, next, read, total }) => {
    add(found);
    readSoFar += read;
    cursor = next;
    more.hidden = next === undefined;
    more.textContent = "Search further";
    const scope =
      next === undefined ? `all ${number(total)}` : `the newest ${number(readSoFar)} of ${number(total)}`;
    status.textContent = `${number(list.children.length)} found among ${scope} assets`;
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      show(await readNames(text, cursor));
    } catch (error) {
      status.textContent = error.message;
      more.textContent = "Retry";
    }
    more.disabled = false;
  });
  show(await readNames(text));
  return [
    h("h1", {}, `Names with “${text}”`),
    h(
      "p",
      {},
      "A wallet's own list has a complete search of names. ",
      copyButton(() => location.href, "Copy link"),
    ),
    status,
    element,
    more,
  ];
};
