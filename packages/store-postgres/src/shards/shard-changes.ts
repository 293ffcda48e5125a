import { readHead } from "../queries/read-head.ts";
import { type ChangedAsset, readAssetsChangedSince } from "../queries/read-asset-page.ts";
import { ShardSession } from "./shard-session.ts";

/** What a shard had changed when it was read. */
export interface ShardChanged {
  /** Every row with a change number up to this one was there: the head moves with the rows of each delta. */
  readonly through: number;
  /** In the order of change numbers; later ones than `through` may be among them. */
  readonly assets: readonly ChangedAsset[];
}

/** Reads the changed assets of one shard, in parallel with the process that writes it. */
export class ShardChanges {
  readonly #session: ShardSession;

  constructor(url: string) {
    this.#session = ShardSession.forReading(url);
  }

  /** @throws LamplightError of the STORE family */
  read(changeSeq: number, limit: number): Promise<ShardChanged> {
    return this.#session.use(async (session) => {
      const { changeSeq: through } = await readHead(session);
      return { through, assets: await readAssetsChangedSince(session, changeSeq, limit) };
    });
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
