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

/**
 * Requests about assets that the programs of Metaplex made: a validator knows no assets, so followers are compared with
 * each other.
 */
export const assetRequestsAbout = (addresses: Iterable<string>): readonly ReferenceRequest[] =>
  [...addresses].flatMap((address) => [
    call("rest", "getAsset", [address]),
    call("rest", "getAssetProof", [address]),
  ]);

/** Interest changes with the clock: such answers are compared where both are of one slot. */
const ATTEMPTS = 40;
const WAIT_MS = 120;
/** A follower on a busy machine is some seconds behind. */
const CATCH_UP_ASKS = 200;
const CATCH_UP_MS = 50;
const ASKED_AT_ONCE = 8;

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
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work));
  return wrong;
};

const askUntilComparable = async (
  request: ReferenceRequest,
  theirs: Endpoint,
  ours: Endpoint,
): Promise<AnswerPair | null> => {
  let pair: AnswerPair | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const their = await theirs.ask(request.body);
    const our = await askFromSlot(slotOf(their), request, ours);
    pair = { request, theirs: sortedList(maskMoving(their)), ours: sortedList(maskMoving(our)) };
    if (pair.theirs === pair.ours) return null;
    if (slotOf(their) === slotOf(our) && slotOf(their) !== null) return pair;
    await sleep(WAIT_MS);
  }
  return pair;
};

/** Asks until the answer is of that slot or a later one. */
const askFromSlot = async (
  slot: number | null,
  request: ReferenceRequest,
  ours: Endpoint,
): Promise<string> => {
  let our = await ours.ask(request.body);
  for (let ask = 0; ask < CATCH_UP_ASKS && isBehind(slotOf(our), slot); ask += 1) {
    await sleep(CATCH_UP_MS);
    our = await ours.ask(request.body);
  }
  return our;
};

const isBehind = (our: number | null, their: number | null): boolean =>
  our !== null && their !== null && our < their;

/** Null in an answer without a slot. */
const slotOf = (text: string): number | null => {
  const slot = /"slot":(\d+)/u.exec(text)?.[1];
  return slot === undefined ? null : Number(slot);
};

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
