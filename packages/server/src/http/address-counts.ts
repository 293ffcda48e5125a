/** How much each address holds of something; addresses that hold nothing take no memory. */
export class AddressCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** False, and nothing counted, where the address holds the most it may. */
  enter(address: string): boolean {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(address, count + 1);
    return true;
  }

  leave(address: string): void {
    const count = this.#counts.get(address)!;
    if (count === 1) this.#counts.delete(address);
    else this.#counts.set(address, count - 1);
  }
}
