// Elements without HTML text: what a chain or a creator wrote is on the page as text.

/** @param props - attributes; `on…` are listeners, false and null are left out */
export const h = (tag, props = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false && child !== ""),
  );
  return element;
};

export const number = (value) => value.toLocaleString("en-US");

export const assetCount = (count) => `${number(count)} ${count === 1 ? "asset" : "assets"}`;

const SOL_DECIMALS = 9;

/** An amount in raw units with its decimal point, exact. */
export const scaled = (amount, decimals) => {
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = number(BigInt(digits.slice(0, digits.length - decimals)));
  const rest = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
};

export const sol = (lamports) => `${scaled(lamports, SOL_DECIMALS)} SOL`;

export const short = (address) =>
  address.length > 12 ? `${address.slice(0, 5)}…${address.slice(-5)}` : address;

export const addressLink = (kind, address) =>
  address
    ? h("a", { href: `#/${kind}/${encodeURIComponent(address)}`, class: "address" }, address)
    : h("span", { class: "quiet" }, "none");

const COPIED_MS = 2000;

/** A button that copies; its label says for a while that it did. */
export const copyButton = (text, label = "Copy") =>
  h(
    "button",
    {
      type: "button",
      class: "copy",
      onclick: async ({ currentTarget: button }) => {
        try {
          await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
          button.textContent = "Copied";
        } catch {
          button.textContent = "No clipboard";
        }
        setTimeout(() => {
          button.textContent = label;
        }, COPIED_MS);
      },
    },
    label,
  );

const INDENT = "  ";

/** JSON with line breaks, digit for digit as it came. */
export const indented = (text) => {
  let depth = 0;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]/g, (token) => {
    if (token === "{" || token === "[") return `${token}\n${INDENT.repeat(++depth)}`;
    if (token === "}" || token === "]") return `\n${INDENT.repeat(--depth)}${token}`;
    if (token === ",") return `,\n${INDENT.repeat(depth)}`;
    return token === ":" ? ": " : token;
  });
};

export const code = (text) =>
  h("div", { class: "code" }, copyButton(text), h("pre", { tabindex: "0" }, h("code", {}, text)));
