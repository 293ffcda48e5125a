import type { BatchAnswer, CallLimits, Transport } from "../call/transport.ts";
import { type ClientFacts, createTypedClient } from "../call/typed-client.ts";
import type { Call, Client, EncodingIn } from "../client.ts";
import { type Methods, methodShapes } from "../generated/methods.ts";
import type { MethodName, MethodTypes } from "../generated/types.ts";
import { uint64Members } from "../generated/uint64-members.ts";
import type { IntegerMode } from "../types/values.ts";
import { type DasMethods, dasMethodShapes } from "./generated/methods.ts";
import type { DasMethodName, DasMethodTypes } from "./generated/types.ts";
import { dasUint64Members } from "./generated/uint64-members.ts";

/** The methods of the main contract that the address of the DAS methods answers too. */
type AccountMethodName = Exclude<MethodName, DasMethodName>;

/** One call of a batch: a DAS method with one object of names, or an account method as in the main contract. */
export type DasCall =
  | {
      readonly [Name in DasMethodName]: {
        readonly method: Name;
        readonly params?: Readonly<DasMethodTypes[Name]["params"]>;
      };
    }[DasMethodName]
  | Extract<Call, { readonly method: AccountMethodName }>;

type ResultOf<One extends DasCall, I extends IntegerMode> = One["method"] extends DasMethodName
  ? DasMethodTypes<I>[One["method"]]["result"]
  : MethodTypes<EncodingIn<One["params"]>, I>[Extract<One["method"], MethodName>]["result"];

/** The answers of a batch: each has the result type of its own call. */
export type DasBatchAnswers<Calls extends readonly DasCall[], I extends IntegerMode = "amounts"> = {
  -readonly [Index in keyof Calls]: BatchAnswer<ResultOf<Calls[Index], I>>;
};

type AllMethods<I extends IntegerMode, M extends boolean> = DasMethods<I, M> &
  Pick<Methods<I, M>, AccountMethodName>;

/** The DAS methods with the account methods, and what a client does besides. Members without a comment are those of `Client`. */
export type DasClient<I extends IntegerMode = "amounts"> = AllMethods<I, false> &
  Pick<Client<I>, "waitForSlot"> & {
    /** These are the same methods; each gives `{ result, slot, updatedSlot, incompleteTrees }`. */
    readonly withMeta: AllMethods<I, true>;
    /** Several calls at once, as `batch` of `Client`. */
    batch<const Calls extends readonly DasCall[]>(calls: Calls): Promise<DasBatchAnswers<Calls, I>>;
    /** Returns the same client with other limits. */
    with(limits: CallLimits): DasClient<I>;
  };

/** The DAS contract has an asset method for each of the main contract, so that only account methods remain of that. */
const dasFacts: ClientFacts = {
  methodShapes: { ...methodShapes, ...dasMethodShapes },
  uint64Members: { ...uint64Members, ...dasUint64Members },
};

/** The client of the DAS contract over a transport. */
export const createTypedDasClient = <I extends IntegerMode>(
  transport: Transport,
  limits: CallLimits,
  integers: I,
): DasClient<I> => createTypedClient<DasClient<I>>(dasFacts, transport, limits, integers);
