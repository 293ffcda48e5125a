import { encodeAddress } from "@lamplight/codecs";
import { assetKinds, type ChainWorld, type Random } from "@lamplight/devchain";
import { isLamplightError } from "@lamplight/errors";

const names = ["alice", "bob", "carol"] as const;

/** Mints something, or does something to an asset; refused operations are ignored. */
export const randomOperation = (world: ChainWorld, random: Random): void => {
  try {
    if (random.percent(35)) mintSomething(world, random);
    else operate(world, random);
  } catch (error) {
    if (!isLamplightError(error, "CHAIN__INVALID_INPUT")) throw error;
  }
};

const mintSomething = (world: ChainWorld, random: Random): void => {
  const kind = random.pick(assetKinds);
  const owner = world.wallet(random.pick(names));
  const number = random.below(1000);
  if (random.percent(10)) {
    world.createCollection({
      name: `Collection ${number}`,
      kind: random.pick(["core", "nft", "token-2022"]),
    });
    return;
  }
  const collection = random.percent(50) ? someId(world, random) : undefined;
  world.mint({
    kind,
    owner,
    name: `Asset ${number}`,
    attributes: { number },
    frozen: random.percent(10),
    ...(collection === undefined ? {} : { collection }),
    ...(kind === "nft" ? { maxSupply: 3 } : {}),
  });
};

const someId = (world: ChainWorld, random: Random): string => {
  const ids = world.ids();
  return ids[random.below(ids.length)] ?? encodeAddress(new Uint8Array(32));
};

const operate = (world: ChainWorld, random: Random): void => {
  const id = someId(world, random);
  const from = world.wallet(random.pick(names));
  const to = world.wallet(random.pick(names));
  const isFungible = (() => {
    const asset = world.find(id);
    return asset?.type === "token" && asset.kind === "fungible";
  })();
  const choice = isFungible ? { from, amount: random.below(1_000_000) } : {};
  const operations: readonly [() => void, ...(() => void)[]] = [
    () => world.transfer(id, to, choice),
    () => world.transfer(id, to, choice),
    () => world.delegate(id, to, choice),
    () => world.revoke(id, choice),
    () => world.freeze(id, choice),
    () => world.thaw(id, choice),
    () => world.verifyCreator(id, world.wallet("authority"), random.percent(50)),
    () => world.verifyCollection(id, random.percent(50)),
    () => world.setCollection(id, random.percent(50) ? someId(world, random) : null),
    () => world.update(id, { name: `Renamed ${random.below(1000)}`, sellerFeeBasisPoints: 100 }),
    () => world.print(id, to),
    () => world.burn(id, choice),
    () => world.close(id, from),
    () => world.mintAmount(id, to, random.below(1000)),
    () => world.decompress(id),
    () => world.inscribe(id),
  ];
  random.pick(operations)();
};
