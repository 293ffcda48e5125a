import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import type { WebSocket } from "ws";
import type { Random } from "../../random.ts";
import { accountText, keyedAccountText } from "./encode-rpc.ts";
import type { LedgerBlock } from "./rpc-ledger.ts";
import { matches, type RowFilter } from "./rpc-methods.ts";

export interface EmittingFaults {
  readonly missing: number;
  readonly repeated: number;
  readonly late: number;
  readonly skipped: number;
  readonly far: number;
}

interface Subscription {
  readonly id: number;
  readonly kind: string;
  readonly what: string;
  readonly filters: readonly RowFilter[];
}

interface Client {
  readonly socket: WebSocket;
  readonly subscriptions: Subscription[];
  /** Reported with the next block. */
  late: string[];
}

const kinds: Readonly<Record<string, string>> = {
  accountSubscribe: "account",
  programSubscribe: "program",
  slotSubscribe: "slot",
  rootSubscribe: "root",
};

/**
 * The reports of a node over WebSockets: accounts are reported at confirmed only. A closed account is stored as an
 * empty one of the System program: only subscriptions of that program and of the address hear of it.
 */
export class Subscriptions {
  readonly #random: Random;
  readonly #clients = new Set<Client>();
  #nextId = 1;
  #root: Slot = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get clients(): number {
    return this.#clients.size;
  }

  get size(): number {
    return [...this.#clients].reduce((sum, { subscriptions }) => sum + subscriptions.length, 0);
  }

  serve(socket: WebSocket): void {
    const client: Client = { socket, subscriptions: [], late: [] };
    this.#clients.add(client);
    socket.on("close", () => this.#clients.delete(client)).on("error", () => {});
    socket.on("message", (data: Buffer) => this.#take(client, data.toString()));
  }

  cutOff(): void {
    for (const { socket } of this.#clients) socket.terminate();
    this.#clients.clear();
  }

  emitBlock(block: LedgerBlock, root: Slot, faults: EmittingFaults): void {
    const { slot, parent } = block;
    const isSkipped = this.#random.percent(faults.skipped);
    for (const client of this.#clients) {
      const messages = client.subscriptions.flatMap((one) =>
        one.kind === "slot"
          ? [note("slot", one.id, `{"slot":${slot},"parent":${parent},"root":${root}}`)]
          : (isSkipped ? [] : writesOf(one, block)).map((text) => inContext(one, slot, text)),
      );
      this.#send(client, [...client.late, ...this.#shuffled(messages)], faults);
    }
  }

  emitRoot(root: Slot, faults: EmittingFaults): void {
    if (root <= this.#root) return;
    this.#root = root;
    for (const client of this.#clients) {
      const reported = client.subscriptions.filter(({ kind }) => kind === "root");
      this.#send(
        client,
        reported.map(({ id }) => note("root", id, String(root))),
        faults,
      );
    }
  }

  #take(client: Client, body: string): void {
    const {
      id,
      method,
      params = [],
    } = JSON.parse(body) as { id: number; method: string; params?: unknown[] };
    const kind = kinds[method];
    if (kind === undefined) {
      client.socket.send(`{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":${id}}`);
      return;
    }
    const { filters = [] } = (params[1] ?? {}) as { filters?: readonly RowFilter[] };
    const subscription = { id: this.#nextId++, kind, what: String(params[0]), filters };
    client.subscriptions.push(subscription);
    client.socket.send(`{"jsonrpc":"2.0","result":${subscription.id},"id":${id}}`);
  }

  #send(client: Client, messages: readonly string[], faults: EmittingFaults): void {
    client.late = [];
    for (const message of messages) {
      if (this.#random.percent(faults.missing)) continue;
      if (this.#random.percent(faults.late)) {
        client.late.push(message);
        continue;
      }
      client.socket.send(this.#random.percent(faults.far) ? farText(message) : message);
      if (this.#random.percent(faults.repeated)) client.socket.send(message);
    }
  }

  /** Nothing promises an order between subscriptions. */
  #shuffled(messages: readonly string[]): readonly string[] {
    const mixed = [...messages];
    for (let index = mixed.length - 1; index > 0; index -= 1) {
      const other = this.#random.below(index + 1);
      [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
    }
    return mixed;
  }
}

const writesOf = ({ kind, what, filters }: Subscription, { writes }: LedgerBlock): readonly string[] => {
  if (kind === "program")
    return writes
      .map((account) => (account.lamports > 0n ? account : closedForm(account)))
      .filter((account) => matches(account, what, filters))
      .map((account) => keyedAccountText(account, null));
  if (kind !== "account") return [];
  return writes
    .filter(({ address }: Account) => encodeAddress(address) === what)
    .map((account) => accountText(account, null));
};

const closedForm = (account: Account): Account => ({
  ...account,
  programOwner: programAddresses.system,
  executable: false,
  data: new Uint8Array(0),
});

const inContext = ({ kind, id }: Subscription, slot: Slot, value: string): string =>
  note(kind, id, `{"context":{"apiVersion":"3.1.0","slot":${slot}},"value":${value}}`);

const note = (kind: string, id: number, result: string): string =>
  `{"jsonrpc":"2.0","method":"${kind}Notification","params":{"result":${result},"subscription":${id}}}`;

/** Ten years of slots. */
const FAR_SLOTS = 1_000_000_000;

/** The same, of a slot that is far ahead: the context's, or where the number is all there is, that. */
export const farText = (text: string): string =>
  text.replace(/^(\d+)$|(?<="slot":)(\d+)|(?<="result":)(\d+)(?=,"subscription")/u, (number) =>
    String(Number(number) + FAR_SLOTS),
  );
