import type { SharedCells } from "../gate/shared-cells.ts";
import type { Limits } from "../limits.ts";

/** Bounds connections, over all workers of a process. */
export class ConnectionCounts {
  readonly #cells: SharedCells;
  readonly #limits: Pick<Limits, "connections" | "connectionsPerAddress">;

  constructor(cells: SharedCells, limits: Pick<Limits, "connections" | "connectionsPerAddress">) {
    this.#cells = cells;
    this.#limits = limits;
  }

  /**
   * False, and nothing counted, where the most connections are open. It counts first and compares then: two workers that count
   * at the same time never both pass the bound.
   */
  enter(): boolean {
    this.#cells.addToAll(1);
    if (this.#cells.all <= this.#limits.connections) return true;
    this.leave();
    return false;
  }

  leave(): void {
    this.#cells.addToAll(-1);
  }

  /** The same of one address. */
  enterAddress(address: string): boolean {
    this.#cells.add(address, 1);
    if (this.#cells.of(address) <= this.#limits.connectionsPerAddress) return true;
    this.leaveAddress(address);
    return false;
  }

  leaveAddress(address: string): void {
    this.#cells.add(address, -1);
  }
}
