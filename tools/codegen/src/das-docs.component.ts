import { emitReference } from "./emit-reference.ts";
import { readExactDasContract } from "./read-das-contract.ts";

export default {
  staticPath: () => undefined,
  hooks: {
    templateFiles: { typescript: [] },
    afterCompileTemplate: [(folder: string) => emitReference(readExactDasContract(), folder)],
  },
};
