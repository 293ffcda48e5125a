// Asks a server of the demo chain every example call and writes the answers into openrpc.json.
import { writeFileSync } from "node:fs";
import { type Contract, contractPath, readContractText } from "./contract-model.ts";
import { startDemoServer } from "./examples/demo-server.ts";
import { parseKeepingText } from "./examples/exact-json.ts";
import { recordAnswers } from "./examples/record-answers.ts";

const server = await startDemoServer();
try {
  const recorded = await recordAnswers(parseKeepingText(readContractText()) as Contract, server);
  writeFileSync(contractPath, `${JSON.stringify(recorded, null, 2)}\n`);
} finally {
  await server.stop();
}
