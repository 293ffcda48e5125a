import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { packPackages } from "./pack-packages.ts";

const run = promisify(execFile);

/** Packs every public package and installs the tarballs into `folder`, with the dependencies of the registry. */
export const installPacked = async (folder: string): Promise<void> => {
  const tarballs = await packPackages(join(folder, "tarballs"));
  await installTarballs(join(folder, "project"), tarballs);
};

/** Makes a project and runs `npm install TARBALL…` there, as the README says. */
export const installTarballs = async (project: string, tarballs: readonly string[]): Promise<void> => {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await run("npm", ["install", ...quiet, ...tarballs], { cwd: project });
};

/** The tarballs that `installPacked` left in `folder`. */
export const tarballsIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, "tarballs")).map((name) => join(folder, "tarballs", name));

/** Paths of the files that a tarball holds, below its package. */
export const filesIn = async (tarball: string): Promise<readonly string[]> => {
  const { stdout } = await run("tar", ["-tzf", tarball]);
  return stdout
    .split("\n")
    .filter((path) => path !== "")
    .map((path) => path.slice("package/".length));
};

/** The members of a manifest that this test reads. */
export interface PackedManifest {
  readonly name: string;
  readonly [member: string]: unknown;
}

export const manifestIn = async (tarball: string): Promise<PackedManifest> => {
  const { stdout } = await run("tar", ["-xzOf", tarball, "package/package.json"]);
  return JSON.parse(stdout) as PackedManifest;
};

const dependencyMembers = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"];

/** Ranges that only this repository can resolve: `pnpm pack` replaces them, `npm pack` does not. */
export const workspaceRanges = (manifest: PackedManifest): readonly string[] =>
  dependencyMembers.flatMap((member) =>
    Object.entries((manifest[member] ?? {}) as Readonly<Record<string, string>>)
      .filter(([, range]) => range.startsWith("workspace:"))
      .map(([name, range]) => `${member} ${name} ${range}`),
  );

/**
 * The files that no one should publish: tests, what only tests use, and built files without a source, except where a
 * package publishes a bundle and no source at all. The last kind stays behind in `dist` when a source moves and an older build is not removed.
 */
export const unpublishable = (files: readonly string[]): readonly string[] => {
  const sources = new Set(files);
  const isBundle = !files.some((file) => file.startsWith("src/"));
  const isOrphan = (file: string): boolean => !isBundle && isCompiled(file) && !sources.has(sourceOf(file));
  return files.filter((file) => isTestFile(file) || isOrphan(file));
};

const isTestFile = (file: string): boolean =>
  /(^|\/)(test|testing|fixtures)\//.test(file) || /\.(test|test-d|bench|fuzz)\./.test(file);

const isCompiled = (file: string): boolean =>
  /^dist\/.*\.(js|js\.map|d\.ts)$/.test(file) &&
  !file.includes("/generated/") &&
  !file.startsWith("dist/site/");

const sourceOf = (file: string): string =>
  file.replace(/^dist\/(cjs\/)?/, "src/").replace(/\.(js\.map|js|d\.ts)$/, ".ts");

/** Names of the packages below `node_modules`, those of this repository left out. */
export const installedNames = (project: string): readonly string[] => {
  const lock = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, unknown>>;
  };
  const names = Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  return [...new Set(names)].filter((name) => !name.startsWith("@lamplight/")).toSorted();
};

/** The Node that commands are tried on: `LAMPLIGHT_NODE`, or the first of `PATH` that is not the repository's. */
export const givenNode = (): string => {
  const named = process.env["LAMPLIGHT_NODE"];
  if (named !== undefined) return named;
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .find((file) => existsSync(file));
  return found ?? process.execPath;
};

/** Major and minor version of a Node binary. */
export const versionOf = async (node: string): Promise<readonly [number, number]> => {
  const { stdout } = await run(node, ["--version"]);
  const [major, minor] = stdout.trim().slice(1).split(".").map(Number);
  return [major!, minor!];
};

/** Whether the command runs on a Node binary. */
export const isSupported = async (node: string): Promise<boolean> => {
  const [major, minor] = await versionOf(node);
  return (major === 22 && minor >= 16) || (major === 24 && minor >= 15) || major > 24;
};
