// Theme switch, try-it panel, playground link. No dependencies; the pages are complete without it.
import { addCopyButtons, nameServer, startFields } from "./reader.js";
import { siteBase } from "./site-base.js";
import { startSearch } from "./search.js";

const PLAYGROUND = "https://playground.open-rpc.org/";
const TIMEOUT_MS = 30_000;

const remember = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // No storage: forgotten with the page.
  }
};

const recall = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const startTheme = () => {
  document.getElementById("theme").addEventListener("click", () => {
    const { dataset } = document.documentElement;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = (dataset.theme ?? (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
    remember("lamplight-theme", dataset.theme);
  });
};

/** What the server that serves these pages says of itself; nothing when they are served by something else. */
const readConfig = async () => {
  try {
    const response = await fetch(`${document.body.dataset.root}docs-config.json`);
    if (!response.ok) return null;
    const { publicKey } = await response.json();
    return { publicKey: typeof publicKey === "string" ? publicKey : null };
  } catch {
    return null;
  }
};

/** The hosted playground on this server; only with a key that anyone may see. */
const showPlayground = (publicKey) => {
  const query = [
    ["schemaUrl", `${siteBase()}/v3/${encodeURIComponent(publicKey)}`],
    ["uiSchema[appBar][ui:title]", "Lamplight"],
    ["uiSchema[appBar][ui:splitView]", "false"],
    ["uiSchema[methods][ui:defaultExpanded]", "true"],
  ];
  const text = query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  for (const link of document.querySelectorAll("[data-playground]")) {
    link.href = `${PLAYGROUND}?${text}`;
    link.hidden = false;
  }
};

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const token =
  /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b|([{}[\],])|\s+|[\s\S]/g;

/** Indents and colours JSON as text: through JSON.parse a u64 would lose digits. */
const jsonHtml = (text) => {
  let depth = 0;
  let html = "";
  let last = "";
  const line = () => `\n${"  ".repeat(Math.max(0, depth))}`;
  for (const [all, string, colon, number, word, mark] of text.matchAll(token)) {
    if (/^\s+$/.test(all)) continue;
    const closes = mark === "}" || mark === "]";
    if (closes) depth -= 1;
    const isEmpty = closes && (last === "{" || last === "[");
    if ((closes && !isEmpty) || (!closes && (last === "{" || last === "[" || last === ","))) html += line();
    if (mark === "{" || mark === "[") depth += 1;
    if (string !== undefined)
      html += `<span class="${colon === undefined ? "s" : "k"}">${escapeHtml(string)}</span>${colon === undefined ? "" : ": "}`;
    else if (number !== undefined) html += `<span class="n">${number}</span>`;
    else if (word !== undefined) html += `<span class="w">${word}</span>`;
    else html += escapeHtml(all);
    last = all;
  }
  return html;
};

/** Longer answers are shown as they came: colouring them would stall the page. */
const COLOURED_LENGTH_MAX = 200_000;

const show = (panel, status, text, isError) => {
  panel.querySelector("[data-answer]").hidden = false;
  const line = panel.querySelector("[data-status]");
  line.textContent = status;
  line.classList.toggle("bad", isError);
  const body = panel.querySelector("[data-body]");
  if (text.length > COLOURED_LENGTH_MAX) body.textContent = text;
  else body.innerHTML = jsonHtml(text);
};

const send = async (panel, endpoint, request) => {
  const started = performance.now();
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: request,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const took = `${Math.round(performance.now() - started)} ms`;
    const slot = response.headers.get("x-slot");
    const parts = [`HTTP ${response.status}`, took, slot === null ? "" : `slot ${slot}`];
    show(
      panel,
      parts.filter(Boolean).join(" · "),
      text,
      !response.ok || text.startsWith('{"jsonrpc":"2.0","error"'),
    );
  } catch (error) {
    show(panel, `No answer: ${error.message}`, "", true);
  }
};

const startPanel = (form, config) => {
  const { base, key, sample, request } = form.elements;
  const panel = form.closest(".panel");
  const note = form.querySelector("[data-note]");
  base.value = recall("lamplight-base") ?? (config === null ? base.placeholder : siteBase());
  // A key may be a secret, so it lives as long as the tab; the public one comes from the server.
  key.value = sessionStorage.getItem("lamplight-key") ?? config?.publicKey ?? "";
  const endpoint = () => `${base.value.replace(/\/+$/, "")}/v3/${encodeURIComponent(key.value)}`;
  const store = () => {
    if (base.value === siteBase()) localStorage.removeItem("lamplight-base");
    else remember("lamplight-base", base.value);
    sessionStorage.setItem("lamplight-key", key.value);
  };
  startFields(form);
  form.querySelector("[data-reset]").addEventListener("click", () => {
    base.value = config === null ? base.placeholder : siteBase();
    key.value = config?.publicKey ?? "";
    request.value = sample.value;
    note.textContent = "Server, key and request are as at first.";
  });
  sample.addEventListener("change", () => {
    request.value = sample.value;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      store();
    } catch {
      // No storage: the fields keep what they hold.
    }
    note.textContent = "Sending …";
    await send(panel, endpoint(), request.value);
    note.textContent = "";
  });
  form.querySelector("[data-curl]").addEventListener("click", async () => {
    const body = request.value.replaceAll(/\n\s*/g, "").replaceAll("'", String.raw`'\''`);
    try {
      await navigator.clipboard.writeText(`curl '${endpoint()}' --json '${body}'`);
      note.textContent = "Copied.";
    } catch {
      note.textContent = "The clipboard is not available.";
    }
  });
};

startTheme();
const config = await readConfig();
startSearch();
nameServer(config);
addCopyButtons();
for (const form of document.querySelectorAll("[data-try]")) startPanel(form, config);
if (config !== null && config.publicKey !== null) showPlayground(config.publicKey);
