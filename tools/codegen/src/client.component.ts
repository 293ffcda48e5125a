import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emitClientMethods } from "./client/emit-client-methods.ts";
import { emitClientTypes } from "./client/emit-client-types.ts";
import { emitErrorCodes } from "./client/emit-error-codes.ts";
import { emitErrorClasses, emitErrorKinds } from "./client/emit-error-classes.ts";
import { emitUint64Members } from "./client/emit-uint64-members.ts";
import { banner } from "./emit-helpers.ts";
import { readContract } from "./read-contract.ts";

/** Everything the client knows of the contract, so that it needs no other package at run time. */
const emitClient = async (folder: string): Promise<void> => {
  const contract = readContract();
  const types = await emitClientTypes(contract);
  await writeFile(join(folder, "values.ts"), types.values);
  await writeFile(join(folder, "types.ts"), types.types);
  await writeFile(join(folder, "methods.ts"), emitClientMethods(contract));
  await writeFile(join(folder, "uint64-members.ts"), emitUint64Members(contract));
  await writeFile(join(folder, "error-codes.ts"), emitErrorCodes(contract));
  await writeFile(join(folder, "error-classes.ts"), emitErrorClasses(contract));
  await writeFile(join(folder, "error-kinds.ts"), emitErrorKinds(contract));
  await writeFile(
    join(folder, "version.ts"),
    `${banner}\n/** Version of the contract this client was generated from. */\nexport const contractVersion = ${JSON.stringify(contract.info.version)};\n`,
  );
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitClient] },
};
