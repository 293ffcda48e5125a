// After `tsc`: replaces `dist/rpc/server-js.js` by a bundle of the two files of `@open-rpc/server-js` that the server uses.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";

const serverJs = createRequire(import.meta.url).resolve("@open-rpc/server-js/build/router.js");
const schemaUtils = dirname(createRequire(serverJs).resolve("@open-rpc/schema-utils-js"));

/** The parts of schema-utils-js that the router needs, without its readers of files and URLs. */
const validatorOnly = `
  export { default as MethodCallValidator } from ${JSON.stringify(join(schemaUtils, "method-call-validator/method-call-validator.js"))};
  export { default as MethodNotFoundError } from ${JSON.stringify(join(schemaUtils, "method-call-validator/method-not-found-error.js"))};
`;
/** Only the router's mock mode, which the server never enters, makes up values and compares them. */
const withoutMocks = "export default undefined;";

const narrowed: Plugin = {
  name: "narrowed",
  setup: ({ onResolve, onLoad }) => {
    const contents: Readonly<Record<string, string>> = {
      "@open-rpc/schema-utils-js": validatorOnly,
      "json-schema-faker": withoutMocks,
      lodash: withoutMocks,
    };
    onResolve({ filter: /^(@open-rpc\/schema-utils-js|json-schema-faker|lodash)$/ }, ({ path }) => ({
      path,
      namespace: "narrowed",
    }));
    onLoad({ filter: /.*/, namespace: "narrowed" }, ({ path }) => ({
      contents: contents[path]!,
      resolveDir: dirname(serverJs),
    }));
  },
};

const { metafile } = await build({
  entryPoints: [new URL("src/rpc/server-js.ts", import.meta.url).pathname],
  outfile: new URL("dist/rpc/server-js.js", import.meta.url).pathname,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  legalComments: "inline",
  logLevel: "warning",
  metafile: true,
  plugins: [narrowed],
});
writeFileSync(
  new URL("dist/rpc/server-js.licenses.txt", import.meta.url),
  licensesOf(Object.keys(metafile.inputs)),
);

/** The license texts of the packages whose files are in the bundle, as those licenses demand. */
function licensesOf(files: readonly string[]): string {
  const folders = new Set(files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file)?.[0] ?? ""));
  folders.delete("");
  return [...folders].map((folder) => `${nameIn(folder)}\n\n${licenseIn(folder)}\n`).join("\n");
}

function nameIn(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  return `${name} ${version}`;
}

function licenseIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[sc]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  return `License: ${license}`;
}
