import { emitReference } from "./emit-reference.ts";
import { readExactContract } from "./read-contract.ts";

export default {
  staticPath: () => undefined,
  hooks: {
    templateFiles: { typescript: [] },
    afterCompileTemplate: [(folder: string) => emitReference(readExactContract(), folder)],
  },
};
