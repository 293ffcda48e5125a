// Assets by a part of their name. A server compares the names of one wallet; all others are read and compared here, a part at a time.
import { assetCount, h, number } from "./dom.js";
import { cards, givenName } from "./gallery.js";
import { callOrThrow } from "./rpc.js";

const READ_ROWS = 250;
const READS_AT_ONCE = 8;

/** Each asset whose name holds the text, among the next ones of a search. */
const readNames = async (text, params, cursor) => {
  const wanted = text.toLowerCase();
  const found = [];
  let next = cursor;
  let read = 0;
  let total = 0;
  for (let count = 0; count < READS_AT_ONCE; count += 1) {
    const start = next === undefined ? {} : { cursor: next };
    const { result } = await callOrThrow("searchAssets", { ...params, limit: READ_ROWS, ...start });
    found.push(...result.items.filter((asset) => givenName(asset).toLowerCase().includes(wanted)));
    read += result.items.length;
    ({ total } = result);
    next = result.cursor;
    if (next === undefined) break;
  }
  return { found, next, read, total };
};

/**
 * @param params - of `searchAssets`: the assets that are compared, in this order
 * @param status - gets a new message when the visitor searches further
 */
export const namesList = async (text, params, status) => {
  const { element, list, add } = cards();
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
      next === undefined
        ? `all ${assetCount(total)}`
        : `the first ${number(readSoFar)} of ${assetCount(total)}`;
    return `${number(list.children.length)} found among ${scope}`;
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      status.textContent = show(await readNames(text, params, cursor));
    } catch (error) {
      status.textContent = error.message;
      more.textContent = "Retry";
    }
    more.disabled = false;
  });
  const message = show(await readNames(text, params));
  return { message, parts: [element, more] };
};
