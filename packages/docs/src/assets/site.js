// Theme switch, try-it panel, playground link. No dependencies; the pages are complete without it.
import { startFields } from "./call-fields.js";
import { addCopyButtons, copyFrom, nameServer } from "./reader.js";
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
    const { publicKey, methods } = await response.json();
    return {
      publicKey: typeof publicKey === "string" ? publicKey : null,
      contracts: ["v3", ...(Array.isArray(methods) ? methods : [])],
    };
  } catch {
    return null;
  }
};

const playgroundUrl = (contract, publicKey) => {
  const query = [
    ["schemaUrl", `${siteBase()}/${contract}/${encodeURIComponent(publicKey)}`],
    ["uiSchema[appBar][ui:title]", "Lamplight"],
    ["uiSchema[appBar][ui:splitView]", "false"],
    ["uiSchema[methods][ui:defaultExpanded]", "true"],
  ];
  const text = query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  return `${PLAYGROUND}?${text}`;
};

/** The hosted playground on this server; only with a key that anyone may see, and for contracts that it answers. */
const showPlayground = ({ publicKey, contracts }) => {
  for (const link of document.querySelectorAll("[data-playground]")) {
    const contract = link.dataset.playground;
    if (publicKey === null || !contracts.includes(contract)) continue;
    link.href = playgroundUrl(contract, publicKey);
    link.hidden = false;
  }
};

/** Says so where this server does not answer the contract of the page. */
const showLacking = ({ contracts }) => {
  for (const note of document.querySelectorAll("[data-lacks]"))
    note.hidden = contracts.includes(note.dataset.lacks);
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
  panel.querySelector("[data-answer]").scrollIntoView({ block: "nearest" });
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

const SHARED = "#try=";
/** Longer requests stay out of the address: some programs cut links off. */
const SHARED_CHARS_MAX = 4000;

/** The page's address with the request in it, behind # so that no server sees it; null where it is too long. */
const sharedUrl = (request) => {
  const text = encodeURIComponent(request.replaceAll(/\n\s*/g, ""));
  return text.length > SHARED_CHARS_MAX ? null : location.href.replace(/#.*$/, "") + SHARED + text;
};

/** The request of a link. Nothing is sent before the reader does, and no link can name a server or a key. */
const readShared = (form, fill) => {
  if (!location.hash.startsWith(SHARED)) return;
  try {
    const text = decodeURIComponent(location.hash.slice(SHARED.length));
    form.elements.request.value = text;
    form.elements.request.value = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // The reader sees what the link holds, and can mend it.
  }
  fill();
  form.closest(".panel").scrollIntoView();
};

const startPanel = (form, config) => {
  const { base, key, sample, request } = form.elements;
  const panel = form.closest(".panel");
  const note = form.querySelector("[data-note]");
  base.value = recall("lamplight-base") ?? (config === null ? base.placeholder : siteBase());
  // A key may be a secret, so it lives as long as the tab; the public one comes from the server.
  key.value = sessionStorage.getItem("lamplight-key") ?? config?.publicKey ?? "";
  const endpoint = () =>
    `${base.value.replace(/\/+$/, "")}/${form.dataset.try}/${encodeURIComponent(key.value)}`;
  const store = () => {
    if (base.value === siteBase()) localStorage.removeItem("lamplight-base");
    else remember("lamplight-base", base.value);
    sessionStorage.setItem("lamplight-key", key.value);
  };
  const fill = startFields(form);
  readShared(form, fill);
  addEventListener("hashchange", () => readShared(form, fill));
  /** The address follows what is sent, so that it can be passed on. */
  const share = () => {
    const url = sharedUrl(request.value);
    if (url !== null) history.replaceState(null, "", url);
  };
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  request.addEventListener("change", fill);
  form.querySelector("[data-reset]").addEventListener("click", () => {
    base.value = config === null ? base.placeholder : siteBase();
    key.value = config?.publicKey ?? "";
    request.value = sample.value;
    fill();
    note.textContent = "Server, key and request are as at first.";
  });
  sample.addEventListener("change", () => {
    request.value = sample.value;
    fill();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      store();
    } catch {
      // No storage: the fields keep what they hold.
    }
    share();
    note.textContent = "Sending …";
    await send(panel, endpoint(), request.value);
    note.textContent = "";
  });
  form.querySelector("[data-curl]").addEventListener("click", ({ target }) => {
    const body = request.value.replaceAll(/\n\s*/g, "").replaceAll("'", String.raw`'\''`);
    return copyFrom(target, `curl '${endpoint()}' --json '${body}'`);
  });
  form.querySelector("[data-share]").addEventListener("click", ({ target }) => {
    const url = sharedUrl(request.value);
    if (url !== null) return copyFrom(target, url);
    note.textContent = "The request is too long for a link.";
    return undefined;
  });
};

/** The page that is open is in view in a long navigation. */
const showCurrentPage = () => {
  const current = document.querySelector("nav [aria-current]");
  const nav = current?.closest("nav");
  if (nav) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
};

startTheme();
showCurrentPage();
startSearch();
const config = await readConfig();
nameServer(config);
addCopyButtons();
for (const form of document.querySelectorAll("[data-try]")) startPanel(form, config);
if (config !== null) {
  showPlayground(config);
  showLacking(config);
}
