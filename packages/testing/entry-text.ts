import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  readonly name: string;
  readonly engines: { readonly node: string };
};

/**
 * The text of an entry of this package. An older Node cannot parse the bundle, so the entry imports it after it has
 * checked the version.
 *
 * @param bundle - path from the entry
 * @param names - what the bundle exports
 */
export const entryText = (bundle: string, names: readonly string[]): string => {
  const [major, minor] = /^>=(\d+)\.(\d+)\./.exec(manifest.engines.node)!.slice(1).map(Number);
  return `const [major, minor] = process.versions.node.split(".").map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`${manifest.name} needs Node ${major}.${minor} or newer; this is Node ${"${process.versions.node}"}\`);
${names.length === 0 ? "" : `export const { ${names.toSorted().join(", ")} } = `}await import(${JSON.stringify(bundle)});
`;
};
