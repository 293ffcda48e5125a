import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { expect } from "vitest";
import type { Tab } from "./chromium.ts";

const widths = [390, 768, 1280, 1440];
const schemes = ["light", "dark"] as const;
/** Folder for screenshots that a person views; none are taken without it. */
const shots = process.env["LAMPLIGHT_SCREENSHOTS"];

/** The policy of the pages forbids scripts of others, so axe comes by the debugger. */
const expectAccessible = async (tab: Tab, at: string): Promise<void> => {
  if (!(await tab.run<boolean>("window.axe !== undefined")))
    await tab.send("Runtime.evaluate", { expression: axe.source });
  const found = await tab.run<readonly string[]>(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 160)))`,
  );
  expect([at, found]).toEqual([at, []]);
};

/** Every width and color scheme without overflow; no complaint of the console, none of axe. */
export const inspectPage = async (tab: Tab, name: string): Promise<void> => {
  for (const width of widths)
    for (const scheme of schemes) {
      await tab.look(width, scheme);
      const at = `${name} at ${width}, ${scheme}`;
      const overflow = await tab.run<number>("document.documentElement.scrollWidth - innerWidth");
      expect([at, Math.max(0, overflow)]).toEqual([at, 0]);
      if (shots !== undefined) {
        mkdirSync(shots, { recursive: true });
        const file = `${name.replaceAll(/[^\w.-]+/gu, "_")}-${width}-${scheme}.png`;
        writeFileSync(join(shots, file), await tab.screenshot());
      }
      const isChecked = (width === 390 && scheme === "dark") || (width === 1440 && scheme === "light");
      if (isChecked) await expectAccessible(tab, at);
    }
  expect([name, tab.complaints.splice(0)]).toEqual([name, []]);
};
