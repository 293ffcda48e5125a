import { answerJson, callCode } from "./call-code.js";
import { h, number } from "./dom.js";
import { gallery } from "./gallery.js";
import { call, readContract } from "./rpc.js";

const LIMIT = 24;
const WAIT_MS = 250;
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

const select = (name, words) =>
  h(
    "select",
    { name },
    h("option", { value: "" }, "not set"),
    words.map((word) => h("option", { value: word }, word)),
  );

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
      : select(name, words);
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
    read: (text) => ({ sortBy: text.split(" ")[0], sortDirection: text.split(" ")[1] }),
    element: h(
      "label",
      {},
      "sortBy",
      select("sortBy", ["created desc", "created asc", "updated desc", "updated asc", "id asc"]),
    ),
  },
];

export const searchView = async (query) => {
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
  const shown = h("div", {});
  for (const [name, value] of new URLSearchParams(query))
    if (form.elements[name]) form.elements[name].value = value;

  const given = () =>
    fields.flatMap((field) => {
      const text = form.elements[field.name].value.trim();
      return text === "" ? [] : [[field.name, text, field.read(text)]];
    });
  let newest = 0;
  const update = async () => {
    const run = ++newest;
    const values = given();
    history.replaceState(
      null,
      "",
      `#/search?${new URLSearchParams(values.map(([name, text]) => [name, text]))}`,
    );
    const params = { ...Object.fromEntries(values.map(([name, , value]) => [name, value])), limit: LIMIT };
    const answer = await call("searchAssets", params).catch((error) => ({
      error,
      params,
      method: "searchAssets",
    }));
    if (run !== newest) return;
    total.textContent = answer.error ? answer.error.message : `${number(answer.result.total)} assets`;
    total.classList.toggle("bad", Boolean(answer.error));
    shown.replaceChildren(
      ...(answer.error ? [callCode(answer)] : [gallery(answer), callCode(answer), answerJson(answer)]),
    );
  };
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, WAIT_MS);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  await update();
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
