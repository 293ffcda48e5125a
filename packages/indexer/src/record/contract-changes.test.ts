// Changes every member of the type Asset, one at a time, and compiles what writes asset documents against it. All variants
// are one program of the compiler: each has copies of the writers, next to its own types.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const packages = join(import.meta.dirname, "../../..");
const compiler = join(packages, "../node_modules/typescript/bin/tsc");
/** The generated types, without what documents them. */
const typesText = readFileSync(join(packages, "contract/src/generated/types.ts"), "utf8").replaceAll(
  / *\/\*\*.*?\*\/\n/gs,
  "",
);

/** Files that write or change members of a document. */
const writers = [
  "core/src/content/content-parts.ts",
  "core/src/content/content-text.ts",
  "core/src/content/text-facts.ts",
  "core/src/methods/token-balances.ts",
  "core/src/shaping/asset-extras.ts",
  "core/src/shaping/join-asset.ts",
  "core/src/shaping/shape-asset.ts",
  "core/src/shaping/shorten-content.ts",
  "indexer/src/record/shape-document.ts",
  "indexer/src/record/shape-extras.ts",
].map((file) => join(packages, file));

/** A source as a file of a variant imports it: two folders below the package. */
const fromVariant = (file: string): string => relative(join(packages, "indexer/scratch/0"), file);

/** Exports of core that the indexer uses, with the copies in place of the originals. */
const coreText = `export * from "${fromVariant(join(packages, "core/src/index.ts"))}";
export { contentText } from "./content-text.ts";
export type { AssetExtras } from "./asset-extras.ts";
export { inheritanceText } from "./text-facts.ts";
`;

/** A writer whose imports lead to the copies next to it, or to the original place. */
const copyOf = (file: string): string =>
  readFileSync(file, "utf8").replaceAll(/ from "([^"]+)"/g, (whole, specifier: string) => {
    if (specifier === "@lamplight/contract") return ' from "./types.ts"';
    if (specifier === "@lamplight/core") return ' from "./core.ts"';
    if (!specifier.startsWith(".")) return whole;
    const target = resolve(dirname(file), specifier);
    return ` from "${writers.includes(target) ? `./${basename(target)}` : fromVariant(target)}"`;
  });

const copies = writers.map((file) => [basename(file), copyOf(file)] as const);

interface Declaration {
  readonly name: string;
  /** Offset at which the text between its braces starts; `end` is the offset behind it. */
  readonly start: number;
  readonly end: number;
}

const declarationOf = (name: string): Declaration | null => {
  const head = `export interface ${name} {\n`;
  const at = typesText.indexOf(head);
  return at === -1 ? null : { name, start: at + head.length, end: typesText.indexOf("\n}\n", at) + 1 };
};

/** `Asset` and every declaration that its members name. */
const declarations = (): readonly Declaration[] => {
  const found = new Map<string, Declaration>();
  const queue = ["Asset"];
  for (const name of queue) {
    const declaration = declarationOf(name);
    if (declaration === null || found.has(name)) continue;
    found.set(name, declaration);
    const body = typesText.slice(declaration.start, declaration.end);
    queue.push(...(body.match(/\b[A-Z]\w+/g) ?? []));
  }
  return [...found.values()];
};

interface Variant {
  readonly name: string;
  readonly types: string;
}

const memberLine = /^ {2}([\w$]+)(\??): ([^{]*?;|\{.*?^ {2}\};)$/gms;

const changed = (start: number, end: number, text: string): string =>
  typesText.slice(0, start) + text + typesText.slice(end);

/** A member that no document has: without a value there is no type to hold. */
const neverWritten = new Set(["AssetFile.contexts"]);

const variantsOf = ({ name, start, end }: Declaration): readonly Variant[] => {
  const variants: Variant[] = [
    { name: `${name}: added`, types: changed(start, start, "  added?: string;\n") },
  ];
  for (const { 0: whole, 1: member, 2: optional, index } of typesText
    .slice(start, end)
    .matchAll(memberLine)) {
    const replaced = (text: string): string => changed(start + index, start + index + whole.length, text);
    variants.push({
      name: `${name}.${member}: renamed`,
      types: replaced(whole.replace(member!, `${member}_2`)),
    });
    if (!neverWritten.has(`${name}.${member}`))
      variants.push({
        name: `${name}.${member}: retyped`,
        types: replaced(`  ${member}${optional}: { retyped: true };`),
      });
  }
  return variants;
};

/** The variants in which the compiler finds an error. */
const refused = async (variants: readonly Variant[]): Promise<ReadonlySet<number>> => {
  const scratch = mkdtempSync(join(packages, "indexer/contract-changes-"));
  try {
    for (const [index, { types }] of variants.entries()) {
      const folder = join(scratch, String(index));
      mkdirSync(folder);
      for (const [name, text] of [...copies, ["types.ts", types], ["core.ts", coreText]] as const)
        writeFileSync(join(folder, name), text);
    }
    writeFileSync(
      join(scratch, "tsconfig.json"),
      JSON.stringify({ extends: "../../../tsconfig.json", include: ["*/*.ts"] }),
    );
    // Each thread that checks would check the libraries again.
    const args = [compiler, "--pretty", "false", "--singleThreaded", "-p", scratch];
    const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 28 }).catch(
      (error: unknown) => error as { stdout: string },
    );
    const places = stdout.matchAll(/^(?:.*\/)?(\d+)\/[\w-]+\.ts\(\d+,\d+\): error/gm);
    return new Set([...places].map(([, index]) => Number(index)));
  } finally {
    rmSync(scratch, { recursive: true });
  }
};

const wireTypes = [
  "Asset",
  "AssetContent",
  "AssetFile",
  "AssetLinks",
  "AssetMetadata",
  "Authority",
  "CollectionMetadata",
  "Compression",
  "Creator",
  "Group",
  "Ownership",
  "PrintSupply",
  "Royalty",
  "TokenInfo",
  "Uses",
];

test("a member of Asset that is renamed, retyped or added is a compile error where documents are written", async () => {
  const asset = declarations();
  expect(asset.map(({ name }) => name).toSorted()).toEqual(wireTypes);
  const variants: readonly Variant[] = [
    { name: "unchanged", types: typesText },
    ...asset.flatMap(variantsOf),
  ];
  const found = await refused(variants);
  expect(variants.filter((_, index) => !found.has(index)).map(({ name }) => name)).toEqual(["unchanged"]);
}, 300_000);
