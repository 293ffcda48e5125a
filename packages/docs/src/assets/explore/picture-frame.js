import { h } from "./dom.js";
import { imageOf } from "./picture.js";

/** `https://pictures.example/?url=`, which the address of a picture follows; null = pictures come from where they are. */
let proxy = null;
/** Whether a picture of another host is loaded only after a click. */
let isAsked = true;

const ownMachine = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** What the server sets. Without a setting, pictures load by themselves only on the visitor's own machine. */
export const usePictures = ({ pictures, pictureProxy } = {}) => {
  proxy = pictures === "proxy" && String(pictureProxy).startsWith("https:") ? pictureProxy : null;
  isAsked =
    proxy === null && !(pictures === "all" || (pictures === undefined && ownMachine.test(location.hostname)));
};

const isData = (url) => /^data:/i.test(url);

/** A color that belongs to an id, for what has no picture. */
const hueOf = (id) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

const blank = (asset) => {
  const name = String(asset.content?.metadata?.name ?? "");
  const element = h("span", { class: "blank", "aria-hidden": "true" }, [...name][0] ?? "·");
  // Styles in attributes are forbidden by the page's policy; those of the object model are not.
  element.style.setProperty("--hue", hueOf(asset.id));
  return element;
};

const load = (frame, asset, url) => {
  const image = h("img", { alt: "", loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
  image.addEventListener("error", () => image.replaceWith(blank(asset)), { once: true });
  image.src = isData(url) || proxy === null ? url : proxy + encodeURIComponent(url);
  frame.replaceChildren(image);
};

/**
 * The picture of an asset, and the button that loads it where a visitor is asked first. They are two elements: a frame
 * may be part of a link, a button may not.
 */
export const picture = (asset) => {
  const url = imageOf(asset);
  const frame = h("span", { class: "picture" }, blank(asset));
  if (url === null) return { frame, button: null };
  if (isData(url) || !isAsked) {
    load(frame, asset, url);
    return { frame, button: null };
  }
  const { hostname } = new URL(url);
  const button = h("button", { type: "button", class: "reveal", title: `From ${hostname}` }, "Show picture");
  button.addEventListener("click", () => {
    load(frame, asset, url);
    button.remove();
  });
  return { frame, button };
};

/** Where the picture lies; null for one without an address: a browser must not open a document that a creator wrote. */
export const pictureLink = (asset) => {
  const url = imageOf(asset);
  if (url === null || isData(url)) return null;
  const { hostname } = new URL(url);
  return h("a", { href: url, rel: "noreferrer noopener" }, `Open the picture at ${hostname}`);
};
