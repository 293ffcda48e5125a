// A list of assets that follows a form, and an address that holds what the form holds.
import { answerJson, callCode } from "./call-code.js";
import { assetCount, h } from "./dom.js";
import { gallery } from "./gallery.js";
import { callOrThrow } from "./rpc.js";

const WAIT_MS = 250;

/** A choice of words; each is a word, or a word with the text that a visitor reads. */
export const select = (name, options, attributes = {}) =>
  h(
    "select",
    { name, ...attributes },
    options.map((option) => {
      const [value, text] = Array.isArray(option) ? option : [option, option];
      return h("option", { value }, text);
    }),
  );

/** What a search found: the total, a gallery and the call. */
export const foundAssets = async (params) => {
  const answer = await callOrThrow("searchAssets", params);
  return {
    message: assetCount(answer.result.total),
    parts: [gallery(answer), callCode(answer), answerJson(answer)],
  };
};

/**
 * @param form - its fields are filled from `query` at first
 * @param path - of this view, as `#/search`
 * @param fixed - members of the address that no field has
 * @param paramsOf - parameters of `searchAssets`, from the fields by name, without the empty ones
 * @param listOf - what to show of these parameters, and the message for `total`
 * @returns the form, the total and the list, once there is a first answer
 */
export const liveList = async ({ form, path, query, fixed = {}, paramsOf, listOf = foundAssets, total }) => {
  const shown = h("div", {});
  // By `namedItem`: a link may name a property that every list of elements has, such as `length`.
  for (const [name, value] of query) {
    const field = form.elements.namedItem(name);
    if (field !== null) field.value = value;
  }

  const values = () =>
    [...form.elements]
      .map(({ name, value }) => [name, value.trim()])
      .filter(([name, text]) => name && text !== "");
  let newest = 0;
  const update = async () => {
    const run = ++newest;
    const given = values();
    shown.setAttribute("aria-busy", "true");
    const params = paramsOf(Object.fromEntries(given));
    const { message, parts, isRefused } = await listOf(params, total).catch((error) => ({
      message: error.message,
      isRefused: true,
      parts: [
        h("p", {}, h("button", { type: "button", onclick: () => update() }, "Retry")),
        callCode({ method: "searchAssets", params }),
      ],
    }));
    if (run !== newest) return;
    shown.setAttribute("aria-busy", "false");
    total.textContent = message;
    total.classList.toggle("bad", isRefused === true);
    shown.replaceChildren(...parts);
  };
  const keepInAddress = () => {
    const text = String(new URLSearchParams([...Object.entries(fixed), ...values()]));
    history.replaceState(null, "", text === "" ? path : `${path}?${text}`);
  };
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // The visitor may have left this view.
      if (!form.isConnected) return;
      keepInAddress();
      update();
    }, WAIT_MS);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  await update();
  return shown;
};
