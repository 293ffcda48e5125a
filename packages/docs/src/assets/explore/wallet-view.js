import { assetCount, copyButton, h, number, short, sol } from "./dom.js";
import { PAGE } from "./gallery.js";
import { liveList, select } from "./live-list.js";
import { callOrThrow } from "./rpc.js";

/** Kinds by name, as `interface` takes them. */
const nftKinds = ["V1_NFT", "ProgrammableNFT", "MplCoreAsset", "MplCoreCollection", "Custom"];

const tabs = [
  { name: "nfts", text: "NFTs", tokenType: "regularNft", kinds: nftKinds },
  { name: "compressed", text: "Compressed", tokenType: "compressedNft", kinds: ["V1_NFT", "MplBubblegumV2"] },
  { name: "tokens", text: "Tokens", tokenType: "fungible", kinds: ["FungibleToken", "FungibleAsset"] },
];

/** Words of the address to `sortBy`. */
const orders = [
  ["", "Newest first"],
  ["created asc", "Oldest first"],
  ["updated desc", "Changed last"],
  ["id asc", "By id"],
];

export const sortOf = (text = "created desc") => {
  const [sortBy, sortDirection] = text.split(" ");
  return { sortBy, sortDirection };
};

export const filterForm = (kinds) =>
  h(
    "form",
    { class: "filter", "aria-label": "Filter" },
    h(
      "label",
      {},
      "Name",
      h("input", { name: "name", type: "text", spellcheck: "false", autocomplete: "off" }),
    ),
    h("label", {}, "Kind", select("interface", [["", "every kind"], ...kinds])),
    h(
      "label",
      {},
      "State",
      select("frozen", [
        ["", "any"],
        ["true", "frozen"],
        ["false", "not frozen"],
      ]),
    ),
    h("label", {}, "Order", select("sort", orders)),
  );

/** Parameters of `searchAssets` from the fields of that form. */
export const filterParams = ({ name, interface: kind, frozen, sort }) => ({
  ...(name !== undefined && { name }),
  ...(kind !== undefined && { interface: kind }),
  ...(frozen !== undefined && { frozen: frozen === "true" }),
  sortBy: sortOf(sort),
  limit: PAGE,
});

/** The totals of all tabs, and the lamports. */
const readTotals = async (ownerAddress) => {
  const answers = await Promise.all(
    tabs.map(({ tokenType }) =>
      callOrThrow("searchAssets", {
        ownerAddress,
        tokenType,
        limit: 1,
        options: { showNativeBalance: true },
      }),
    ),
  );
  const lamports = answers[0].result.nativeBalance?.lamports ?? 0;
  return { totals: answers.map(({ result }) => result.total), lamports };
};

const tabLinks = (ownerAddress, chosen, totals) =>
  h(
    "nav",
    { class: "views", "aria-label": "Assets of this wallet" },
    tabs.map(({ name, text }, index) =>
      h(
        "a",
        { href: `#/wallet/${ownerAddress}?tab=${name}`, "aria-current": name === chosen && "page" },
        `${text} `,
        h("span", { class: "badge" }, number(totals[index])),
      ),
    ),
  );

export const walletView = async (ownerAddress, query) => {
  const { totals, lamports } = await readTotals(ownerAddress);
  const filled = tabs[totals.findIndex((total) => total > 0)] ?? tabs[0];
  const tab = tabs.find(({ name }) => name === query.get("tab")) ?? filled;
  const form = filterForm(tab.kinds);
  const total = h("p", { class: "quiet", role: "status" });
  const list = await liveList({
    form,
    path: `#/wallet/${ownerAddress}`,
    query,
    fixed: { tab: tab.name },
    total,
    paramsOf: (fields) => ({
      ownerAddress,
      tokenType: tab.tokenType,
      ...filterParams(fields),
      options: { showFungible: true },
    }),
  });
  const all = totals.reduce((sum, one) => sum + one, 0);
  return [
    h(
      "header",
      { class: "heading" },
      h("h1", {}, `Wallet ${short(ownerAddress)}`),
      h("p", {}, h("code", {}, ownerAddress), " ", copyButton(ownerAddress, "Copy address")),
      h("p", { class: "lead" }, `${assetCount(all)} · ${sol(lamports)}`),
      h("p", {}, h("a", { href: `#/account/${ownerAddress}` }, "Show the account")),
    ),
    tabLinks(ownerAddress, tab.name, totals),
    form,
    total,
    list,
  ];
};
