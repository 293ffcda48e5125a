import { emitContract } from "./emit-contract.ts";
import { readContract } from "./read-contract.ts";
import { readDasContract, readExactDasContract } from "./read-das-contract.ts";

const emit = (folder: string): Promise<void> =>
  emitContract(readDasContract(), readExactDasContract(), readContract(), folder);

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emit] },
};
