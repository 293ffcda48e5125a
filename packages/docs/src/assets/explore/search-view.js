import { h } from "./dom.js";
import { liveList, select } from "./live-list.js";
import { readContract } from "./rpc.js";
import { sortOf } from "./wallet-view.js";

const LIMIT = 24;
/** Not criteria: where a page starts, and what has no single field. */
const leftOut = new Set([
  "page",
  "before",
  "after",
  "cursor",
  "limit",
  "options",
  "minContextSlot",
  "sortBy",
  "grouping",
]);

const enumOf = (contract, schema) => {
  const one = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const name = one.$ref?.split("/").at(-1);
  return (name === undefined ? one : contract.components.schemas[name]) ?? {};
};

const choice = (name, words) => select(name, [["", "not set"], ...words]);

/** A field for a criterion, and how to read it. */
const fieldOf = (contract, { name, description, schema }) => {
  const form = enumOf(contract, schema);
  const words = form.type === "boolean" ? ["true", "false"] : form.enum;
  const input =
    words === undefined
      ? h("input", {
          name,
          type: "text",
          spellcheck: "false",
          autocomplete: "off",
          ...(form.type === "integer" && { inputmode: "numeric" }),
        })
      : choice(name, words);
  const read = (text) =>
    form.type === "boolean" ? text === "true" : form.type === "integer" ? Number(text) : text;
  return { name, read, element: h("label", { title: description }, name, input) };
};

const extraFields = () => [
  {
    name: "grouping",
    read: (text) => ["collection", text],
    element: h(
      "label",
      {},
      "collection",
      h("input", { name: "grouping", type: "text", spellcheck: "false", autocomplete: "off" }),
    ),
  },
  {
    name: "sortBy",
    read: sortOf,
    element: h(
      "label",
      {},
      "sortBy",
      choice("sortBy", ["created desc", "created asc", "updated desc", "updated asc", "id asc"]),
    ),
  },
];

export const searchView = async (_value, query) => {
  const contract = await readContract();
  const method = contract.methods.find(({ name }) => name === "searchAssets");
  const parameters = [...method.params, ...(method["x-by-name-params"] ?? [])];
  const fields = [
    ...extraFields(),
    ...parameters.filter(({ name }) => !leftOut.has(name)).map((one) => fieldOf(contract, one)),
  ];
  const form = h(
    "form",
    { class: "criteria", "aria-label": "Criteria" },
    fields.map(({ element }) => element),
  );
  const total = h("p", { class: "total", role: "status" }, "…");
  const shown = await liveList({
    form,
    path: "#/search",
    query,
    total,
    paramsOf: (texts) => ({
      ...Object.fromEntries(
        fields
          .filter(({ name }) => texts[name] !== undefined)
          .map(({ name, read }) => [name, read(texts[name])]),
      ),
      limit: LIMIT,
    }),
  });
  return [
    h("h1", {}, "Search"),
    h(
      "p",
      { class: "quiet" },
      "Every field is a criterion of searchAssets. The call, the code and the total follow what you choose.",
    ),
    h("div", { class: "builder" }, form, h("div", {}, total, shown)),
  ];
};
