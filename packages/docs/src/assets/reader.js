// What makes the pages handy: copy buttons, and examples that name the server from which the page came.
import { siteBase } from "./site-base.js";

const SAMPLE_URL = "http://127.0.0.1:5267";

/** Examples are written for the sample server; this one may have another address and another key. */
export const nameServer = (config) => {
  if (config === null) return;
  const walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
  const key = config.publicKey ?? "YOUR_KEY";
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest("pre") || !node.data.includes(SAMPLE_URL)) continue;
    node.data = node.data
      .replaceAll(`${SAMPLE_URL}/v3/demo`, `${siteBase()}/v3/${key}`)
      .replaceAll(SAMPLE_URL, siteBase())
      .replaceAll('apiKey: "demo"', `apiKey: ${JSON.stringify(key)}`);
  }
};

export const addCopyButtons = () => {
  for (const pre of document.querySelectorAll("main pre")) {
    if (pre.closest("[data-answer]")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "No clipboard";
      }
    });
    const frame = document.createElement("div");
    frame.className = "code";
    pre.replaceWith(frame);
    frame.append(button, pre);
  }
};

const valueOf = ({ value, dataset }) => {
  const text = value.trim();
  if (dataset.kind === "json") return JSON.parse(text);
  if (dataset.kind === "pair") return text.split(/[\s,]+/);
  return dataset.kind === "integer" && /^\d+$/.test(text) ? Number(text) : text;
};

/** Writes the call by name from the fields that are filled in. */
export const startFields = (form) => {
  const holder = form.querySelector("[data-fields]");
  if (holder === null) return;
  holder.addEventListener("input", () => {
    const params = {};
    for (const field of holder.querySelectorAll("[data-path]")) {
      if (field.value.trim() === "") continue;
      const [name, member] = field.dataset.path.split(".");
      if (member === undefined) params[name] = valueOf(field);
      else (params[name] ??= {})[member] = valueOf(field);
    }
    form.elements.request.value = JSON.stringify(
      { jsonrpc: "2.0", id: 1, method: holder.dataset.fields, params },
      null,
      2,
    );
  });
};
