import { setTimeout as sleep } from "node:timers/promises";
import { maskMoving } from "../mask.ts";
import type { AnswerPair } from "../decided.ts";
import type { Endpoint } from "../endpoints.ts";
import { call, type ReferenceRequest } from "../requests/request.ts";

/** Everything that can be asked of the accounts of the stories. */
export const requestsAbout = (
  addresses: Iterable<string>,
  commitment: "confirmed" | "finalized",
): readonly ReferenceRequest[] =>
  [...addresses].flatMap((address) => {
    return [
      call("rest", "getAccountInfo", [address, { encoding: "base64", commitment }]),
      call("rest", "getAccountInfo", [address, { encoding: "jsonParsed", commitment }]),
      call("rest", "getTokenSupply", [address, { commitment }]),
      ...["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"].map(
        (programId) =>
          call("rest", "getTokenAccountsByDelegate", [
            address,
            { programId },
            { encoding: "base64", commitment },
          ]),
      ),
    ];
  });

/** What the programs of Metaplex made of them: a validator knows no assets, so followers are compared with each other. */
export const assetRequestsAbout = (addresses: Iterable<string>): readonly ReferenceRequest[] =>
  [...addresses].flatMap((address) => [
    call("rest", "getAsset", [address]),
    call("rest", "getAssetProof", [address]),
  ]);

/** Interest moves on with the clock: such answers are compared where both are of one slot. */
const attempts = 40;
const waitMs = 120;
const askedAtOnce = 8;

/**
 * Asks both until they agree, or differ at one slot. With a node in motion, answers of different slots may differ and
 * mean nothing.
 */
export const compareAtRest = async (
  requests: readonly ReferenceRequest[],
  theirs: Endpoint,
  ours: Endpoint,
): Promise<readonly AnswerPair[]> => {
  const wrong: AnswerPair[] = [];
  const left = requests.values();
  const work = async (): Promise<void> => {
    for (const request of left) {
      const pair = await askUntilComparable(request, theirs, ours);
      if (pair !== null) wrong.push(pair);
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, work));
  return wrong;
};

const askUntilComparable = async (
  request: ReferenceRequest,
  theirs: Endpoint,
  ours: Endpoint,
): Promise<AnswerPair | null> => {
  let pair: AnswerPair | null = null;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const [their, our] = [await theirs.ask(request.body), await ours.ask(request.body)];
    pair = { request, theirs: sortedList(maskMoving(their)), ours: sortedList(maskMoving(our)) };
    if (pair.theirs === pair.ours) return null;
    if (slotOf(their) === slotOf(our) && slotOf(their) !== undefined) return pair;
    await sleep(waitMs);
  }
  return pair;
};

const slotOf = (text: string): string | undefined => /"slot":(\d+)/u.exec(text)?.[1];

/** Neither side promises an order of token accounts. */
const sortedList = (text: string): string => {
  const list = /^(.*"value":\[)(\{"account".*\})(\].*)$/u.exec(text);
  if (list === null) return text;
  const [, head = "", items = "", tail = ""] = list;
  return `${head}${items
    .split(/(?<=\}),(?=\{"account")/u)
    .toSorted()
    .join(",")}${tail}`;
};
