// Sends every example call to a server of the chain that `npm start` serves, and writes the answers into packages/contract/examples.
import { startDemoServer } from "./examples/demo-server.ts";
import { recordAnswers } from "./examples/record-answers.ts";
import { readContract, writeExamples } from "./read-contract.ts";

const server = await startDemoServer();
try {
  writeExamples(await recordAnswers(readContract(), server));
} finally {
  await server.stop();
}
