// Writes dist/cjs from the modules in dist, for `require` and for resolvers that read no `exports`.
import { cpSync, globSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const files = globSync("dist/**/*.js", { exclude: ["dist/cjs/**"] });
await build({
  entryPoints: files,
  outbase: "dist",
  outdir: "dist/cjs",
  format: "cjs",
  platform: "node",
  target: "node20",
});
for (const file of globSync("dist/**/*.d.ts", { exclude: ["dist/cjs/**"] }))
  cpSync(file, file.replace("dist", "dist/cjs"));
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
