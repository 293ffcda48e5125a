// A chain that goes on by itself, reported over real gRPC, and the snapshot archive of its first slot.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { decodeAddress, encodeBase58 } from "@lamplight/codecs";
import { ChainSimulation, writeArchive, writeManifest, writeStorage } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { AccountHasher } from "@lamplight/sources/snapshot";

/** A step makes two slots on average: about as many a second as real chains, whose speed bounds of following assume. */
const STEP_MS = 600;
const LOST_STEPS = 10;

export class LiveChain {
  readonly simulation: ChainSimulation;
  readonly upstream: SimulatedYellowstone;
  readonly url: string;
  #timer: NodeJS.Timeout | null = null;

  private constructor(simulation: ChainSimulation, upstream: SimulatedYellowstone, url: string) {
    this.simulation = simulation;
    this.upstream = upstream;
    this.url = url;
  }

  static async start(seed: number): Promise<LiveChain> {
    const simulation = new ChainSimulation({ seed });
    const upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from) });
    const chain = new LiveChain(simulation, upstream, await upstream.start());
    chain.goOn();
    return chain;
  }

  goOn(): void {
    this.#timer ??= setInterval(() => this.upstream.emit(this.simulation.next()), STEP_MS);
  }

  pause(): void {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
  }

  /** Ends the streams, and goes on before one can be there again: only a replay has these slots. */
  loseSlots(): void {
    this.upstream.cutOff();
    for (let step = 0; step < LOST_STEPS; step += 1) this.upstream.emit(this.simulation.next());
  }

  stop(): void {
    this.pause();
    this.upstream.stop();
  }

  /** @returns the path of the archive */
  writeSnapshot(folder: string): string {
    const { slot, blockhash, accounts } = this.simulation.genesis;
    const living = accounts.filter(({ lamports }) => lamports > 0n);
    const content = writeStorage(living);
    const hasher = new AccountHasher();
    for (const account of living) {
      const lamports = Buffer.alloc(8);
      lamports.writeBigUInt64LE(account.lamports);
      hasher.addToLattice({ ...account, lamports, rentEpoch: null, executable: Number(account.executable) });
    }
    const latticeHash = hasher.takeLattice();
    const manifest = writeManifest({
      era: "4.1",
      slot,
      blockhash: decodeAddress(blockhash),
      capitalization: living.reduce((sum, { lamports }) => sum + lamports, 0n),
      latticeHash,
      storages: [{ slot, id: 0, length: content.length }],
    });
    const archive = writeArchive({ slot, manifest, storages: [{ slot, id: 0, content }] });
    const path = join(folder, `snapshot-${slot}-${encodeBase58(hasher.hashBytes(latticeHash))}.tar.zst`);
    writeFileSync(path, zstdCompressSync(archive));
    return path;
  }
}
