import { emitContract } from "./emit-contract.ts";
import { readContract, readExactContract } from "./read-contract.ts";

const emit = (folder: string): Promise<void> =>
  emitContract(readContract(), readExactContract(), null, folder);

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emit] },
};
