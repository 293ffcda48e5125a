import { programAddresses, validatorInfoKey } from "@lamplight/codecs";
import { type Draft, draftOf } from "../draft.ts";
import { encodeLookupTable } from "../encode/address-lookup-table.ts";
import { encodeValidatorInfo } from "../encode/config.ts";
import { encodeNonce } from "../encode/system.ts";
import { encodeMultisig } from "../encode/token.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** Programs without a decoder: order books, pools, games. */
const UNKNOWN_PROGRAMS = 12;
const FIRST_UNKNOWN_PROGRAM = 100;

/** A little of what else lies on a chain. Kinds go round, so that even a small chain holds each. */
export function* otherAccounts(world: World, slot: number): Generator<Draft> {
  for (let index = 0; index < world.counts.others; index += 1) {
    yield otherAccount(world, index, slot);
  }
}

const otherAccount = (world: World, index: number, slot: number): Draft => {
  const random = world.random("other", index);
  const address = world.address("other", index);
  switch (index % 12) {
    case 0:
      return draftOf(
        address,
        programAddresses.system,
        encodeNonce(world.someWallet(random), random.bytes(32)),
      );
    case 1: {
      const addresses = Array.from({ length: random.between(2, 40) }, () => world.someWallet(random));
      const authority = random.percent(80) ? world.someWallet(random) : null;
      return draftOf(
        address,
        programAddresses.addressLookupTable,
        encodeLookupTable(authority, slot, addresses),
      );
    }
    case 2: {
      const signers = Array.from({ length: random.between(2, 5) }, () => world.someWallet(random));
      return draftOf(address, programAddresses.token, encodeMultisig(2, signers));
    }
    case 3: {
      const json = JSON.stringify({
        name: `Validator ${index}`,
        website: `https://validator-${index}.example`,
      });
      const data = encodeValidatorInfo(validatorInfoKey, world.address("node", index), json);
      return draftOf(address, programAddresses.config, data);
    }
    default: {
      const program = world.address("program", FIRST_UNKNOWN_PROGRAM + random.rank(UNKNOWN_PROGRAMS));
      return draftOf(address, program, stateBytes(random));
    }
  }
};

/** Fields with stretches of zeros between them, as program state mostly is. */
const stateBytes = (random: Random): Uint8Array => {
  const data = new Uint8Array(64 << random.below(6));
  for (let offset = 0; offset < data.length; offset += 64) {
    if (random.percent(60)) data.set(random.bytes(random.between(8, 40)), offset);
  }
  return data;
};
