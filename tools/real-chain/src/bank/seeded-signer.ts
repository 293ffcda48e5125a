import type { Random } from "@lamplight/devchain";
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from "@solana/kit";

const SECRET_BYTES = 32;

/** The same address in every run with the seed. */
export const seededSigner = (random: Random): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(random.bytes(SECRET_BYTES));
