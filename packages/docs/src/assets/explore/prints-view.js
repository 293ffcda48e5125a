import { answerJson, callCode } from "./call-code.js";
import { addressLink, h, number } from "./dom.js";
import { nameOf } from "./gallery.js";
import { findMaster, isPrint } from "./master-edition.js";
import { call, callOrThrow } from "./rpc.js";

const LIMIT = 100;

/** The prints of a master edition, by the mint of the master or of a print. */
export const printsView = async (mint) => {
  const [answer, asset] = await Promise.all([
    callOrThrow("getNftEditions", { mint, limit: LIMIT }),
    callOrThrow("getAsset", { id: mint }),
  ]);
  const { total, supply, max_supply: max } = answer.result;
  const master = await findMaster(asset.result).catch(() => null);
  const list = h("ol", { class: "prints" });
  const status = h("p", { class: "quiet", role: "status" });
  const more = h("button", { type: "button" }, "Show more");
  let cursor;
  const show = ({ result }) => {
    list.append(
      ...result.editions.map(({ mint: print, edition }) =>
        h(
          "li",
          { "aria-current": print === mint && "true" },
          h("a", { href: `#/asset/${print}`, title: print }, `#${number(edition)}`),
        ),
      ),
    );
    ({ cursor } = result);
    more.hidden = cursor === undefined;
    more.textContent = "Show more";
    status.textContent = `${number(list.children.length)} of ${number(total)} shown`;
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    const next = await call("getNftEditions", { mint, limit: LIMIT, cursor }).catch((error) => ({ error }));
    more.disabled = false;
    if (!next.error) return show(next);
    status.textContent = next.error.message;
    more.textContent = "Retry";
    return undefined;
  });
  show(answer);
  return [
    h("h1", {}, `Prints of ${nameOf(asset.result)}`),
    h(
      "p",
      { class: "lead" },
      `${number(supply)} of ${max === null ? "any number" : number(max)} were made. ${number(total)} are known here.`,
    ),
    h(
      "p",
      {},
      master === null && isPrint(asset.result) ? "From " : "Master edition: ",
      addressLink("asset", master?.id ?? mint),
    ),
    list,
    status,
    more,
    callCode(answer),
    answerJson(answer),
  ];
};
