import { programAddresses, sysvarAddresses } from "@lamplight/codecs";
import { type Draft, draftOf } from "../draft.ts";
import { encodeProgram, encodeProgramData } from "../encode/loader.ts";
import { encodeClock, encodeEpochSchedule, encodeRent } from "../encode/sysvar.ts";
import { encodeMint } from "../encode/token.ts";
import { epochOf, SLOTS_PER_EPOCH, timestampOf, type World } from "../world.ts";

/** The first accounts: programs, sysvars, the mint of wrapped lamports. */
export function* runtimeAccounts(world: World, slot: number): Generator<Draft> {
  yield clockAccount(slot);
  yield draftOf(sysvarAddresses.rent, programAddresses.sysvar, encodeRent());
  yield draftOf(sysvarAddresses.epochSchedule, programAddresses.sysvar, encodeEpochSchedule(SLOTS_PER_EPOCH));
  const native = { mintAuthority: null, supply: 0n, decimals: 9, freezeAuthority: null };
  yield draftOf(programAddresses.nativeMint, programAddresses.token, encodeMint(native));
  const programs = [programAddresses.token, programAddresses.token2022, programAddresses.tokenMetadata];
  for (const [index, program] of programs.entries()) {
    const code = world.address("program", index);
    const data = encodeProgramData(slot - 1, null, world.random("program", index).bytes(4096));
    yield draftOf(code, programAddresses.upgradeableLoader, data);
    yield { ...draftOf(program, programAddresses.upgradeableLoader, encodeProgram(code)), executable: true };
  }
}

/** The clock as the runtime writes it in every slot, so many seconds away from where the slot would have it. */
export const clockAccount = (slot: number, driftSeconds = 0n): Draft => {
  const epoch = epochOf(slot);
  const data = encodeClock({
    slot,
    epoch,
    epochStartTimestamp: timestampOf(epoch * SLOTS_PER_EPOCH),
    unixTimestamp: timestampOf(slot) + driftSeconds,
  });
  return draftOf(sysvarAddresses.clock, programAddresses.sysvar, data);
};
