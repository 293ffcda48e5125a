// The state that the steps of an operator's afternoon share.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Finished, type Installation, runLamplight, spawnLamplight } from "./installation.ts";
import { LiveChain } from "./live-chain.ts";
import { Node } from "./node.ts";
import type { Place } from "./place.ts";
import { Tally } from "./tally.ts";
import { until } from "./until.ts";

export interface AfternoonOptions {
  readonly folder: string;
  readonly place: Place;
  readonly installation: Installation;
  readonly seed: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const clockPreload = new URL("shift-clock.js", import.meta.url).href;

export class Afternoon {
  readonly folder: string;
  readonly place: Place;
  readonly chain: LiveChain;
  installation: Installation;
  readonly tally = new Tally();
  /** API keys by their names. */
  readonly keys = new Map<string, string>();
  #nodes: { readonly writer: Node; readonly server: Node } | null = null;
  #url = "";

  private constructor({ folder, place, installation }: AfternoonOptions, chain: LiveChain) {
    this.folder = folder;
    this.place = place;
    this.installation = installation;
    this.chain = chain;
    this.shiftClock(0);
  }

  static async begin(options: AfternoonOptions): Promise<Afternoon> {
    return new Afternoon(options, await LiveChain.start(options.seed));
  }

  /** The process that follows the chain. Over a file, it is the one that serves. */
  get writer(): Node {
    return this.#running.writer;
  }

  get server(): Node {
    return this.#running.server;
  }

  get #running(): { readonly writer: Node; readonly server: Node } {
    if (this.#nodes === null) throw new Error("no process runs yet");
    return this.#nodes;
  }

  /** Runs a command to its end. */
  run(...args: readonly string[]): Promise<Finished> {
    return runLamplight(this.installation, args, this.#environment);
  }

  /** @returns what it printed */
  async succeed(...args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode !== 0)
      throw new Error(`lamplight ${args.slice(0, 2).join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
    return stdout.trim();
  }

  /** Starts the processes of the place, and waits until they are ready. */
  async startNodes(): Promise<void> {
    const { chain, place } = this;
    const anyPort = ["--port", "0"];
    if (place.postgres === null) {
      const node = this.#start("serve", ...anyPort, "--follow", `yellowstone=${chain.url}`);
      this.#nodes = { writer: node, server: node };
    } else {
      const writer = this.#start("follow", "yellowstone", chain.url);
      this.#nodes = { writer, server: this.#start("serve", ...anyPort, "--workers", "2") };
    }
    this.#url = await this.server.url;
    this.tally.restart();
  }

  /** All processes obey their stop signal. */
  async stopNodes(): Promise<void> {
    const nodes = new Set([this.writer, this.server]);
    const codes = await Promise.all([...nodes].map((node) => node.stop()));
    this.#nodes = null;
    expect(codes).toEqual(codes.map(() => 0));
  }

  /** Ends what is left, also after a failure. */
  async end(): Promise<void> {
    if (this.#nodes !== null) for (const { child } of Object.values(this.#nodes)) child.kill("SIGKILL");
    this.chain.stop();
    await this.place.postgres?.stop();
  }

  /** Calls a method with the key of a name; default: the one that its owner uses. */
  async call(name: string, method: string, params: unknown, key = this.keys.get(name)!): Promise<Answer> {
    const response = await fetch(`${this.#url}/v3/${key}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { status, headers } = response;
    const text = await response.text();
    this.tally.note(name, status);
    return { status, headers, text };
  }

  /** The status of a small call. */
  async callStatus(name: string, key?: string): Promise<number> {
    return (await this.call(name, "getLargestAccounts", [], key)).status;
  }

  /** The server that runs has counted each call as its caller saw it. */
  async expectCounted(): Promise<void> {
    if (this.#nodes === null) return;
    const { metrics } = await until(() => this.server.look());
    this.tally.expectCounted(metrics);
  }

  /** Sets the clocks of all processes, from now on. */
  shiftClock(aheadMs: number): void {
    writeFileSync(this.#clockFile, String(aheadMs));
  }

  get #clockFile(): string {
    return join(this.folder, "clock");
  }

  get #environment(): NodeJS.ProcessEnv {
    return {
      LAMPLIGHT_STORE: this.place.storeUrl,
      LAMPLIGHT_KEY_STORE: this.place.keyStore,
      LAMPLIGHT_SEARCH_CACHE: join(this.folder, "search"),
      CLOCK_FILE: this.#clockFile,
    };
  }

  #start(...args: readonly string[]): Node {
    const all = [...args, "--metrics-port", "0"];
    return new Node(spawnLamplight(this.installation, all, this.#environment, clockPreload));
  }
}
