import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientKind } from "./client/client-kind.ts";
import { emitNamedMethods } from "./client/emit-client-methods.ts";
import { emitClientTypes } from "./client/emit-client-types.ts";
import { emitUint64Members } from "./client/emit-uint64-members.ts";
import { readContract } from "./read-contract.ts";
import { readDasContract } from "./read-das-contract.ts";

/** The client of the DAS contract knows this in addition to that of the main one. */
const emitDasClient = async (folder: string): Promise<void> => {
  const contract = readDasContract();
  const kind: ClientKind = { sources: "../../", prefix: "Das", main: readContract() };
  const types = await emitClientTypes(contract, kind);
  await writeFile(join(folder, "values.ts"), types.values);
  await writeFile(join(folder, "types.ts"), types.types);
  await writeFile(join(folder, "methods.ts"), emitNamedMethods(contract, kind));
  await writeFile(join(folder, "uint64-members.ts"), emitUint64Members(contract, kind));
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitDasClient] },
};
