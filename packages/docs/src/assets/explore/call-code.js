import { code, h, indented } from "./dom.js";
import { endpoint, serverUrl } from "./rpc.js";

const literal = (value) => JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_$][\w$]*)":/g, "$1:");

/** A call by name as a program of each kind writes it. */
const forms = ({ method, params }) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const key = decodeURIComponent(endpoint().split("/").at(-1));
  return {
    "JSON-RPC": JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }, null, 2),
    TypeScript: `import { createClient } from "@lamplight/client";

const client = createClient({ url: ${JSON.stringify(serverUrl)}, apiKey: ${JSON.stringify(key)} });
const answer = await client.${method}(${literal(params)});`,
    curl: `curl '${endpoint()}' -H 'Content-Type: application/json' -d '${body.replaceAll("'", String.raw`'\''`)}'`,
  };
};

/** How to make the call that filled a part of the page, and what exactly came back. */
export const callCode = (answer) => {
  const texts = forms(answer);
  const shown = h("div", {});
  const show = (name) => {
    shown.replaceChildren(code(texts[name]));
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.textContent === name));
  };
  const tabs = h(
    "div",
    { class: "tabs" },
    Object.keys(texts).map((name) => h("button", { type: "button", onclick: () => show(name) }, name)),
  );
  show("TypeScript");
  return h("section", { class: "call" }, h("h2", {}, "This call"), tabs, shown);
};

/** Filled when it is opened: an answer may be long. */
export const answerJson = ({ text }) => {
  const details = h("details", {}, h("summary", {}, "Answer as JSON"));
  details.addEventListener("toggle", () => details.append(code(indented(text))), { once: true });
  return details;
};
