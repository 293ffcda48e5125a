// What a visitor typed: an address of any kind, or a part of a name.
import { copyButton, h } from "./dom.js";
import { namesList } from "./names.js";
import { call } from "./rpc.js";
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

const namesView = async (text) => {
  const status = h("p", { class: "quiet", role: "status" });
  const { message, parts } = await namesList(text, { sortBy: sortOf() }, status);
  status.textContent = message;
  return [
    h("h1", {}, `Names with “${text}”`),
    h(
      "p",
      {},
      "The newest assets come first. The lists of a wallet and of a collection search names too. ",
      copyButton(() => location.href, "Copy link"),
    ),
    status,
    ...parts,
  ];
};
