import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Installation } from "./installation.ts";

/** The later rules write this into the document of every asset. */
export const laterMark = '"later":true';

const laterShape = `const laterShape = (record, createdSlot) => {
  const asset = shapeAsset(record, createdSlot);
  return { ...asset, document: asset.document.replace("{", '{${laterMark},') };
};
export const ruleBook = `;

const keptBefore = `import { DERIVATION } from "@lamplight/core";
import { ruleBook } from "../programs/programs.js";
import { shapeAsset } from "../record/shape-asset.js";
const previous = { ...ruleBook, version: DERIVATION - 1, shape: shapeAsset };
export const derivations = { current: ruleBook, previous };
`;

/**
 * Makes an installation of a version that does not exist yet: its rules shape assets in another way, and it keeps the
 * rules of the installed version.
 *
 * @returns it, and the version of its rules
 */
export const installLater = (
  { project, node }: Installation,
  folder: string,
): { readonly later: Installation; readonly rules: number } => {
  const later = { project: join(folder, "later"), node };
  cpSync(project, later.project, { recursive: true });
  const inPackage = (path: string): string => join(later.project, "node_modules/@lamplight", path);
  const [, version] = replaceIn(inPackage("core/dist/domain/derivation.js"), /DERIVATION = (\d+)/u, raised);
  const programs = inPackage("indexer/dist/programs/programs.js");
  replaceIn(programs, /shape: shapeAsset/u, () => "shape: laterShape");
  replaceIn(programs, /export const ruleBook = /u, () => laterShape);
  replaceIn(
    inPackage("indexer/dist/next/derivations.js"),
    /^.*export const derivations = [^;]*;/su,
    () => keptBefore,
  );
  return { later, rules: Number(version) + 1 };
};

const raised = (_: string, version: string): string => `DERIVATION = ${Number(version) + 1}`;

/** @returns what the pattern found */
const replaceIn = (
  file: string,
  pattern: RegExp,
  by: (found: string, part: string) => string,
): RegExpExecArray => {
  const text = readFileSync(file, "utf8");
  const found = pattern.exec(text);
  if (found === null) throw new Error(`${file} has no ${pattern}`);
  writeFileSync(file, text.replace(pattern, by));
  return found;
};
