import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBoundsFiles } from "./read-bounds.ts";

const repository = new URL("../../../..", import.meta.url).pathname;
const page = readFileSync(new URL("../../reference/bounds.md", import.meta.url), "utf8");
const named = new Set([...page.matchAll(/`([A-Za-z][A-Za-z_]*)`/gu)].map(([, name]) => name!));

/** Settings that bound nothing a stranger spends: they say how the process itself ends. */
const ofOperators = ["lameDuckMs", "drainMs"];

test("every setting of the server has a line on the page of bounds", () => {
  const server = readBoundsFiles().find(({ path }) => path === "server/src/limits.ts")!;
  const settings = server.bounds.map(({ name }) => name).filter((name) => /^[a-z]/u.test(name));
  expect(settings.length).toBeGreaterThan(8);
  expect(settings.filter((name) => !named.has(name) && !ofOperators.includes(name))).toEqual([]);
});

test("every name on the page is a constant, a setting or a variable of the code", () => {
  const sources = globSync("packages/*/src/**/*.ts", { cwd: repository, exclude: ["**/*.test.ts"] });
  const declared = new Set<string>();
  for (const file of sources)
    for (const [name] of readFileSync(`${repository}/${file}`, "utf8").matchAll(/\b[A-Za-z]\w+\b/gu))
      declared.add(name);
  expect([...named].filter((name) => !declared.has(name))).toEqual([]);
});

test("every constant in a file of bounds has a value and a docblock", () => {
  const files = readBoundsFiles();
  expect(files.length).toBeGreaterThan(8);
  const bare = files.flatMap(({ path, bounds }) =>
    bounds.filter(({ about, value }) => about === "" || value === "").map(({ name }) => `${path}: ${name}`),
  );
  expect(bare).toEqual([]);
});
