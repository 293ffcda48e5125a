// Sends every example call to a server of the chain that `npm start` serves, and writes the answers into the `examples`
// folders of packages/contract and packages/das.
import { startDemoServer } from "./examples/demo-server.ts";
import { recordAnswers, recordDasAnswers } from "./examples/record-answers.ts";
import { readContract, writeExamples } from "./read-contract.ts";
import { readDasContract, writeDasExamples } from "./read-das-contract.ts";

const server = await startDemoServer();
try {
  writeExamples(await recordAnswers(readContract(), server));
  writeDasExamples(await recordDasAnswers(readDasContract(), server));
} finally {
  await server.stop();
}
