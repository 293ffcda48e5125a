import { Random } from "@lamplight/devchain";
import type { Fixtures } from "../fixtures/make-fixtures.ts";
import { accountRequests } from "./account-reads.ts";
import { envelopeRequests } from "./envelope.ts";
import { paramRequests } from "./params.ts";
import type { ReferenceRequest } from "./request.ts";
import { tokenRequests } from "./token-reads.ts";

/** Everything that both are asked; the same for the same seed. */
export const makeRequests = (seed: number, fixtures: Fixtures): readonly ReferenceRequest[] => [
  ...envelopeRequests(),
  ...paramRequests(fixtures),
  ...accountRequests(new Random(seed, 4, 0), fixtures),
  ...tokenRequests(new Random(seed, 5, 0), fixtures),
];
