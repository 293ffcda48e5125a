import { dirname, join } from "node:path";
import { readSources, type SourceFile } from "./imports.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Files of one package that import each other, types included: a sentence a circle. */
export const fileCircles = (packageFolder: string): readonly string[] =>
  circlesOf(fileGraph(packageFolder)).map((circle) => `${circle.join(", ")} import each other`);

/**
 * Folders of one package that import each other, types included. A file next to the folders belongs to none, and
 * `generated` is left out: what is generated names types of every floor that written code uses again.
 */
export const folderCircles = (packageFolder: string): readonly string[] => {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of fileGraph(packageFolder)) {
    const from = folderOf(file);
    const into = [...imported]
      .map(folderOf)
      .filter(isWritten)
      .filter((folder) => folder !== from);
    if (isWritten(from)) folders.set(from, new Set([...(folders.get(from) ?? []), ...into]));
  }
  return circlesOf(folders).map((circle) => `folders ${circle.join(", ")} import each other`);
};

/** Imports of a folder that stands above the importing one; `floors` lists the folders of the package, lowest first. */
export const importsUpwards = (packageFolder: string, floors: readonly string[]): readonly string[] =>
  [...fileGraph(packageFolder)].flatMap(([file, imported]) => {
    const floor = floors.indexOf(folderOf(file) ?? "");
    return [...imported]
      .filter((other) => floor >= 0 && floors.indexOf(folderOf(other) ?? "") > floor)
      .map((other) => `${file} imports ${other}, which is above it`);
  });

/** Folders of a package below `src`. */
export const foldersOf = (packageFolder: string): ReadonlySet<string> =>
  new Set([...fileGraph(packageFolder).keys()].map(folderOf).filter((folder) => folder !== null));

const fileGraph = (packageFolder: string): Graph => {
  const sources = readSources(packageFolder).filter(({ isTest }) => !isTest);
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(sources.map((source) => [source.path, localImports(source, paths)]));
};

const localImports = ({ path, specifiers }: SourceFile, paths: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    specifiers
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => join(dirname(path), specifier))
      .filter((file) => paths.has(file)),
  );

/** `src/rpc/read.ts` is of the folder `rpc`, `src/index.ts` of none. */
const folderOf = (path: string): string | null => /^src\/([^/]+)\//u.exec(path)?.[1] ?? null;

const isWritten = (folder: string | null): folder is string => folder !== null && folder !== "generated";

/** Each set of nodes that reach one another, in alphabetical order: Tarjan's algorithm. */
const circlesOf = (graph: Graph): readonly (readonly string[])[] => {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const lower = (node: string, value: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? value, value));
  };
  const visit = (node: string): void => {
    order.set(node, order.size);
    lower(node, order.get(node)!);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lower(node, lowest.get(next)!);
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
};
