import { addressLink, h } from "./dom.js";

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** A value of an answer: objects as lists, addresses as links, everything else as text. */
export const valueOf = (value) => {
  if (value === null) return h("span", { class: "quiet" }, "null");
  if (Array.isArray(value))
    return value.length === 0
      ? h("span", { class: "quiet" }, "empty list")
      : h(
          "ol",
          { class: "plain" },
          value.slice(0, ROWS_MAX).map((one) => h("li", {}, valueOf(one))),
        );
  if (typeof value === "object")
    return h(
      "dl",
      { class: "facts" },
      Object.entries(value)
        .slice(0, ROWS_MAX)
        .map(([name, one]) => [h("dt", {}, name), h("dd", {}, valueOf(one))]),
    );
  return typeof value === "string" && ADDRESS.test(value) ? addressLink("account", value) : String(value);
};

const ROWS_MAX = 200;
