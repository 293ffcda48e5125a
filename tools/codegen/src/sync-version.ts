// After `changeset version`: the version of both contracts follows the server's, their examples are recorded again (they
// carry the version), and everything is generated from them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readWrittenContract, writeContract } from "./read-contract.ts";
import { writeDasVersion } from "./read-das-contract.ts";

const serverManifest = new URL("../../../packages/server/package.json", import.meta.url);

const { version } = JSON.parse(readFileSync(serverManifest, "utf8")) as { version: string };
const contract = readWrittenContract();
writeContract({ ...contract, info: { ...contract.info, version } });
writeDasVersion(version);

/** Runs a script from the sources, so that nothing has to be built between the new version and the recording. */
const run = (script: string): void => {
  const file = new URL(script, import.meta.url).pathname;
  execFileSync(process.execPath, ["--conditions=@lamplight/source", file], { stdio: "inherit" });
};

// Twice: the server that answers the examples is itself built on what is generated.
run("main.ts");
run("record-examples.ts");
run("main.ts");
console.log(`the contracts and what is generated from them are at version ${version}`);
