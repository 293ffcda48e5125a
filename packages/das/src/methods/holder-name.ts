import type { Asset } from "@lamplight/contract";
import {
  type ItemAddition,
  type JsonText,
  memberTexts,
  objectText,
  pause,
  plainText,
  type Steps,
} from "@lamplight/core";

/** Names the wallet of a list as the owner of the fungible tokens in it, which have no owner by themselves. */
export class HolderName implements ItemAddition {
  readonly #wallet: JsonText<string>;

  /** @param wallet - base58 address */
  constructor(wallet: string) {
    this.#wallet = plainText(wallet);
  }

  *addTo(items: readonly JsonText<Asset>[]): Steps<readonly JsonText<Asset>[]> {
    const named: JsonText<Asset>[] = [];
    for (const item of items) {
      yield pause;
      named.push(this.#nameIn(item));
    }
    return named;
  }

  #nameIn(item: JsonText<Asset>): JsonText<Asset> {
    const members = memberTexts(item);
    const ownership = memberTexts(members.get("ownership")!);
    if (ownership.get("ownership_model") !== '"token"') return item;
    ownership.set("owner", this.#wallet);
    members.set("ownership", objectText(ownership));
    return objectText(members);
  }
}
