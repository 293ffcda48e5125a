import { addressLink, h } from "./dom.js";

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** A value of an answer: objects as lists, addresses as links, everything else as text. */
export const valueOf = (value, depth = 0) => {
  if (depth > DEPTH_MAX) return h("span", { class: "quiet" }, "…");
  if (value === null) return h("span", { class: "quiet" }, "null");
  if (Array.isArray(value))
    return value.length === 0
      ? h("span", { class: "quiet" }, "empty list")
      : h(
          "ol",
          { class: "plain" },
          value.slice(0, ROWS_MAX).map((one) => h("li", {}, valueOf(one, depth + 1))),
        );
  if (typeof value === "object")
    return h(
      "dl",
      { class: "facts" },
      Object.entries(value)
        .slice(0, ROWS_MAX)
        .map(([name, one]) => [h("dt", {}, name), h("dd", {}, valueOf(one, depth + 1))]),
    );
  return typeof value === "string" && ADDRESS.test(value) ? addressLink("account", value) : String(value);
};

const ROWS_MAX = 200;
/** Creators choose how deep their data is. */
const DEPTH_MAX = 12;
