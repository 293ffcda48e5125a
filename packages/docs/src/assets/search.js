// The search of the site: Ctrl-K or / opens it. The index is loaded with the first search.
const root = document.body.dataset.root;
const RESULTS_MAX = 12;

const dialog = document.createElement("dialog");
dialog.className = "search";
dialog.setAttribute("aria-label", "Search");
const label = document.createElement("label");
label.textContent = "Search the documentation ";
const input = document.createElement("input");
// In a search field the first Escape would clear the text, and not close the dialog.
input.type = "text";
input.autocomplete = "off";
label.append(input);
const list = document.createElement("ul");
dialog.append(label, list);

let entries = null;
const load = async () => {
  entries ??= await (await fetch(`${root}search.json`)).json();
  return entries;
};

/** Every word must occur; one in the title counts more. */
const scoreOf = ({ title, text }, words) => {
  let score = 0;
  for (const word of words) {
    const inTitle = title.toLowerCase().indexOf(word);
    if (inTitle === -1 && !text.includes(word)) return 0;
    score += inTitle === 0 ? 8 : inTitle > 0 ? 4 : 1;
  }
  return score;
};

const update = async () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await load())
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, RESULTS_MAX);
  list.replaceChildren(
    ...found.map(({ entry }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = root + entry.path;
      link.textContent = entry.title;
      item.append(link, ` ${entry.about}`);
      return item;
    }),
  );
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
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.getElementById("search").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(?:input|textarea|select)$/i.test(event.target.tagName);
    const isSlash = event.key === "/" && !isTyping;
    if (!isSlash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
};
