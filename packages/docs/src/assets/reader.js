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
      .replaceAll(`${SAMPLE_URL}/das/demo`, `${siteBase()}/das/${key}`)
      .replaceAll(SAMPLE_URL, siteBase())
      .replaceAll('apiKey: "demo"', `apiKey: ${JSON.stringify(key)}`);
  }
};

const COPIED_MS = 2000;

/** Copies, and says so on the button for a while. */
export const copyFrom = async (button, text) => {
  const label = (button.dataset.label ??= button.textContent);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "No clipboard";
  }
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
};

export const addCopyButtons = () => {
  for (const pre of document.querySelectorAll("main pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copyFrom(button, pre.textContent));
    const frame = document.createElement("div");
    frame.className = "code";
    pre.replaceWith(frame);
    frame.append(button, pre);
  }
};
