// Tests of the consensus of a node's cluster, as readiness reports it.

import { decodeAddress, programAddresses } from "@lamplight/codecs";
import { GENESIS_CERTIFICATE_ADDRESS } from "@lamplight/core";
import { expect, test } from "vitest";
import { follow, ledger, node, source, token, until, useRpcNode } from "../../test/rpc-following.ts";

useRpcNode();

const writeCertificate = (data: Uint8Array, programOwner = programAddresses.system): void => {
  const address = decodeAddress(GENESIS_CERTIFICATE_ADDRESS);
  ledger.write([{ address, programOwner, lamports: 1n, executable: false, rentEpoch: 0n, data }]);
  ledger.finalizeAll();
};

const asked = async (method: string): Promise<void> => {
  const before = source.state.calls;
  await until(() => (node.calls.get(method) ?? 0) > 0 && source.state.calls > before + 4);
};

test.each(["towerbft", "alpenglow"] as const)("%s is what the node answers", async (consensus) => {
  node.consensus = consensus;
  await follow({ programs: [token] });
  await until(() => source.state.consensus !== null);
  expect(source.state.consensus).toBe(consensus);
});

test("a node without the method is no evidence of TowerBFT", async () => {
  await follow({ programs: [token] });
  await asked("getAccountInfo");
  expect(source.state.consensus).toBe(null);
});

test("without the method, the account of the certificate proves Alpenglow", async () => {
  writeCertificate(Uint8Array.of(1, 2, 3));
  await follow({ programs: [token] });
  await until(() => source.state.consensus === "alpenglow");
});

test.each([
  ["lamports that anyone sent", new Uint8Array(0), programAddresses.system],
  ["data of another program", Uint8Array.of(1, 2, 3), programAddresses.token],
] as const)("%s prove nothing", async (_, data, owner) => {
  writeCertificate(data, owner);
  await follow({ programs: [token] });
  await asked("getAccountInfo");
  expect(source.state.consensus).toBe(null);
});
