import { h } from "./dom.js";

const gateways = [
  [/^ipfs:\/\/(?:ipfs\/)?/i, "https://ipfs.io/ipfs/"],
  [/^ar:\/\//i, "https://arweave.net/"],
];

/** Where a browser finds a picture; null for anything that is no picture of the web. */
export const pictureUrl = (uri) => {
  if (typeof uri !== "string" || uri === "") return null;
  const text = gateways.reduce((found, [scheme, gateway]) => found.replace(scheme, gateway), uri.trim());
  if (/^data:image\//i.test(text)) return text;
  try {
    const url = new URL(text, document.baseURI);
    const isOwn = url.origin === location.origin;
    return url.protocol === "https:" || isOwn ? url.href : null;
  } catch {
    return null;
  }
};

export const imageOf = (asset) => {
  const { links, files = [] } = asset.content ?? {};
  const file = files.find(({ mime }) => typeof mime === "string" && mime.startsWith("image/"));
  return pictureUrl(links?.image) ?? pictureUrl(file?.uri);
};

/** A color that belongs to an id, for what has no picture. */
const hueOf = (id) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

const blank = (asset) => {
  const name = String(asset.content?.metadata?.name ?? "");
  const element = h("span", { class: "blank", "aria-hidden": "true" }, [...name][0] ?? "·");
  // Styles in attributes are forbidden by the page's policy; those of the object model are not.
  element.style.setProperty("--hue", hueOf(asset.id));
  return element;
};

export const picture = (asset) => {
  const url = imageOf(asset);
  const frame = h("span", { class: "picture" });
  if (url === null) {
    frame.append(blank(asset));
    return frame;
  }
  const image = h("img", { alt: "", loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
  image.addEventListener("error", () => image.replaceWith(blank(asset)), { once: true });
  image.src = url;
  frame.append(image);
  return frame;
};
