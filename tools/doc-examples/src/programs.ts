import type { Block, Page } from "./pages.ts";
import { givenTo } from "./givens.ts";

/** Printed behind each block, where its output ends. */
export const blockEnd = "\u0003";

/** Blocks of a page that are one module: one that begins with an import starts the next, others go on. */
export interface Program {
  readonly at: string;
  readonly blocks: readonly Block[];
  /** The module; `blockEnd` is printed behind each block. */
  readonly text: string;
  /** The reason why it is only compiled; null where it runs. */
  readonly onlyCompiled: string | null;
}

export const programsOf = (page: Page): readonly Program[] => {
  const groups: Block[][] = [];
  for (const block of page.blocks.filter(({ language }) => language === "ts"))
    if (groups.length === 0 || block.code.startsWith("import ")) groups.push([block]);
    else groups.at(-1)!.push(block);
  return groups.map((blocks) => {
    const parts = blocks.map((block) => {
      const { before = "", after = "" } = givenTo(block);
      return `${before}\n${block.code}${after}\nconsole.log(${JSON.stringify(blockEnd)});\n`;
    });
    const reasons = blocks.flatMap((block) => givenTo(block).onlyCompiled ?? []);
    return {
      at: blocks[0]!.at,
      blocks,
      text: `${parts.join("")}export {};\n`,
      onlyCompiled: reasons[0] ?? null,
    };
  });
};

/** The output that a block promises: the text behind it, or what stands behind arrows in its comments. */
export const promisedBy = ({ code, output }: Block): string =>
  output ?? [...code.matchAll(/\/\/ → (.*)$/gmu)].map(([, line]) => `${line}\n`).join("");
