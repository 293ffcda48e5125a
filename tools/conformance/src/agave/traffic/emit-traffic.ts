import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import {
  RpcBank,
  seededSigner,
  Tally,
  emitMetaplexStory,
  emitNativeStory,
  emitTokenStory,
  tokenPrograms,
} from "@lamplight/real-chain";

type Address = Awaited<ReturnType<typeof emitTokenStory>>[number];

export interface Traffic {
  readonly tally: Tally;
  /** Every account of every story that was started and ended. */
  readonly addresses: Set<string>;
  /** Stories that a crash of the node broke off. */
  broken: number;
}

export interface TrafficOptions {
  readonly url: string;
  readonly seed: number;
  /** Stories at a time. */
  readonly emitters: number;
  readonly vote: string | null;
  /** Addresses of the programs that were added to the chain. */
  readonly programs: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

const STEPS_OF_A_STORY = 14;
const AFTER_CRASH_MS = 2000;

/** Emits stories of both token programs, of the native ones and of those that were added until the signal. */
export const emitTraffic = async (options: TrafficOptions, traffic: Traffic): Promise<void> => {
  const emitter = async (number: number): Promise<void> => {
    const payer = await seededSigner(new Random(options.seed, 0x80, number));
    const bank = new RpcBank(options.url, payer);
    await bank.fund();
    for (let story = 0; !options.signal.aborted; story += 1) {
      const index = story * options.emitters + number;
      try {
        for (const address of await emitStory(bank, options, index, traffic.tally))
          traffic.addresses.add(address);
      } catch {
        traffic.broken += 1;
        await sleep(AFTER_CRASH_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: options.emitters }, (_, number) => emitter(number)));
};

const emitStory = (
  bank: RpcBank,
  { seed, vote, programs }: TrafficOptions,
  index: number,
  tally: Tally,
): Promise<readonly Address[]> => {
  if (index % 4 === 3 && programs.size > 0) return emitMetaplexStory(bank, { seed, index, programs }, tally);
  if (index % 3 === 2) return emitNativeStory(bank, { seed, index, vote: vote as Address | null }, tally);
  const program = index % 3 === 0 ? tokenPrograms.token2022 : tokenPrograms.token;
  return emitTokenStory(bank, { program, seed, index, steps: STEPS_OF_A_STORY }, tally);
};
