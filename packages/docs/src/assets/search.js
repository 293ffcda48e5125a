// The search of the site: Ctrl-K or / opens it. The index is loaded with the first search.
import { findEntries, readEntries } from "./search-score.js";

const root = document.body.dataset.root;
const RESULTS_MAX = 12;

const make = (tag, props, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
};

// In a search field the first Escape would clear the text, and not close the dialog.
const input = make("input", { type: "text", autocomplete: "off", spellcheck: false });
const status = make("p", { className: "quiet", role: "status" });
const list = make("ul");
const dialog = make(
  "dialog",
  { className: "search", ariaLabel: "Search" },
  make("label", {}, "Search the documentation ", input),
  status,
  list,
);

let loading = null;
const load = async () => {
  const response = await fetch(`${root}search.json`);
  return readEntries(await response.json());
};

const itemOf = ({ path, shown, about }) =>
  make("li", {}, make("a", { href: root + path }, shown), make("span", { className: "about" }, about));

/** Where a reader looks who found nothing. */
const elsewhere = [
  { path: "index.html", shown: "Overview", about: "All guides and methods." },
  { path: "errors.html", shown: "Errors", about: "Every code with cause and fix." },
  {
    path: "explore/index.html",
    shown: "Explorer",
    about: "Finds wallets, collections, assets and names on the chain.",
  },
];

const update = async () => {
  const query = input.value.trim();
  loading ??= load();
  try {
    const entries = await loading;
    if (query !== input.value.trim()) return;
    const found = findEntries(entries, query).slice(0, RESULTS_MAX);
    const isNothing = query !== "" && found.length === 0;
    status.textContent = isNothing ? `Nothing found for “${query}”. Perhaps here:` : "";
    list.replaceChildren(...(isNothing ? elsewhere : found).map(itemOf));
  } catch {
    loading = null;
    status.textContent = "The search index did not load. Type again to retry.";
  }
};

const open = () => {
  if (!dialog.open) dialog.showModal();
  input.select();
};

export const startSearch = () => {
  document.body.append(dialog);
  input.addEventListener("input", update);
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
    else if (event.key === "ArrowDown") (links[at + 1] ?? links[0])?.focus();
    else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
  // A link to a section of the page that is open changes only what is behind #.
  dialog.addEventListener(
    "click",
    ({ target }) => (target === dialog || target.closest("a")) && dialog.close(),
  );
  document.getElementById("search").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(?:input|textarea|select)$/i.test(event.target.tagName);
    const isSlash = event.key === "/" && !isTyping;
    if (!isSlash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
};
