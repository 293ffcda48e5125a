import { decodeSysvar, encodeAddress, type SlotHistory, type Sysvar } from "@lamplight/codecs";
import { JsonFloat, type JsonValue } from "../json/json-text.ts";
import type { ParsedJson } from "./parsed-json.ts";

/** Accounts of the sysvar owner; the address says which one it is. */
export const parseSysvar = (data: Uint8Array, address: Uint8Array): ParsedJson => {
  const sysvar = decodeSysvar(address, data);
  return sysvar === null ? null : { info: shapeSysvar(sysvar), type: sysvar.kind };
};

const shapeSysvar = (sysvar: Sysvar): JsonValue => {
  switch (sysvar.kind) {
    case "clock":
      return sorted({ ...sysvar.clock });
    case "epochSchedule":
      return sorted({ ...sysvar.epochSchedule });
    case "epochRewards":
      return sorted({
        ...sysvar.epochRewards,
        parentBlockhash: encodeAddress(sysvar.epochRewards.parentBlockhash),
        totalPoints: sysvar.epochRewards.totalPoints.toString(),
        totalRewards: sysvar.epochRewards.totalRewards.toString(),
        distributedRewards: sysvar.epochRewards.distributedRewards.toString(),
      });
    case "fees":
      return shapeFee(sysvar.lamportsPerSignature);
    case "lastRestartSlot":
      return { lastRestartSlot: sysvar.slot };
    case "recentBlockhashes":
      return sysvar.entries.map(({ blockhash, lamportsPerSignature }) => ({
        blockhash: encodeAddress(blockhash),
        ...shapeFee(lamportsPerSignature),
      }));
    case "rent":
      return { lamportsPerByte: sysvar.lamportsPerByte.toString() };
    case "rewards":
      return { validatorPointValue: new JsonFloat(sysvar.validatorPointValue) };
    case "slotHashes":
      return sysvar.entries.map(({ hash, slot }) => ({ hash: encodeAddress(hash), slot }));
    case "slotHistory":
      return { bits: bitText(sysvar.slotHistory), nextSlot: sysvar.slotHistory.nextSlot };
    case "stakeHistory":
      return sysvar.entries.map(({ epoch, ...stakeHistory }) => ({
        epoch,
        stakeHistory: sorted(stakeHistory),
      }));
    default:
      return sysvar satisfies never;
  }
};

const shapeFee = (lamportsPerSignature: bigint) => ({
  feeCalculator: { lamportsPerSignature: lamportsPerSignature.toString() },
});

/** Members in wire order; names are ASCII, so the default order is that of their bytes. */
const sorted = (members: { readonly [name: string]: JsonValue }): JsonValue =>
  Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Eight characters for each byte value, lowest bit first. */
const bitsOfByte = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(2).padStart(8, "0").split("").toReversed().join(""),
);

const bitText = ({ bits }: SlotHistory): string => {
  const texts: string[] = [];
  for (const byte of bits) texts.push(bitsOfByte[byte] as string);
  return texts.join("");
};
