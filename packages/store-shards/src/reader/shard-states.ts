import { isLamplightError } from "@lamplight/errors";
import { parsePostgresUrl, type ServerReport } from "@lamplight/store-postgres";

/** Whether each shard answered when it was last read, for readiness. */
export class ShardStates {
  readonly #names: readonly string[];
  readonly #unreachable = new Set<number>();

  /** @param shards - their URLs, which may contain a password */
  constructor(shards: readonly string[]) {
    this.#names = shards.map((shard) => parsePostgresUrl(shard).name);
  }

  /** Runs a read of a shard, and notes whether the shard was reached. */
  async noting<Result>(place: number, read: () => Promise<Result>): Promise<Result> {
    try {
      const result = await read();
      this.#unreachable.delete(place);
      return result;
    } catch (error) {
      if (isLamplightError(error, "STORE__UNREACHABLE")) this.#unreachable.add(place);
      throw error;
    }
  }

  report(): readonly ServerReport[] {
    return this.#names.map((server, place) => {
      const isLost = this.#unreachable.has(place);
      return {
        server,
        role: isLost ? null : "primary",
        slot: null,
        state: isLost ? "unreachable" : "read",
      };
    });
  }
}
