// Generates everything that follows from the contracts and from the list of programs, and the code that hashes accounts:
// run by `npx turbo run generate`.
// `--out FOLDER` writes somewhere else.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeKernel } from "./blake3/write-kernel.ts";
import { writeProgramLists } from "./programs/write-program-lists.ts";
import { contractPath } from "./read-contract.ts";
import { readDasContract } from "./read-das-contract.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const root = values.out === undefined ? new URL("../../../", import.meta.url).pathname : resolve(values.out);

/** Component to the folder in whose `generated` its output is taken; each is wiped and rewritten. */
interface Targets {
  readonly [component: string]: string;
}

const mainTargets: Targets = {
  contract: "packages/contract/src",
  server: "packages/server/src",
  client: "packages/client/src",
  docs: "packages/docs/src",
};

const dasTargets: Targets = {
  das: "packages/das/src",
  "das-client": "packages/client/src/das",
  "das-docs": "packages/docs/src/das",
};

interface Generator {
  default(options: { openrpcDocument: string; components: readonly object[] }): Promise<void>;
}

/**
 * Generates in a scratch folder, so that a failing component leaves the old output as it was.
 *
 * @param writeDocument - writes the contract into that folder, unless it is a file already; gives its path
 */
const generate = async (targets: Targets, writeDocument: (folder: string) => string): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), "lamplight-codegen-"));
  try {
    const openrpcDocument = writeDocument(scratch);
    // Component paths are relative to the working directory, and only ./ paths are understood.
    process.chdir(new URL("..", import.meta.url).pathname);
    const generator = createRequire(import.meta.url)("@open-rpc/generator") as Generator;
    await generator.default({
      openrpcDocument,
      components: Object.keys(targets).map((name) => ({
        type: "custom",
        name,
        language: "typescript",
        customComponent: `./src/${name}.component.ts`,
        openRPCPath: null,
        outPath: join(scratch, name),
      })),
    });
    for (const [name, target] of Object.entries(targets)) {
      const folder = join(root, target, "generated");
      rmSync(folder, { recursive: true, force: true });
      cpSync(join(scratch, name), folder, { recursive: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** The generator reads a document without references to others. */
const writeDasContract = (folder: string): string => {
  const path = join(folder, "das.json");
  writeFileSync(path, JSON.stringify(readDasContract()));
  return path;
};

await generate(mainTargets, () => contractPath);
await generate(dasTargets, writeDasContract);
writeProgramLists(join(root, "packages/codecs/src/generated"));
await writeKernel(join(root, "packages/sources/src/generated"));
