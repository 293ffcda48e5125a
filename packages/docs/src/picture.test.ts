// Creators write the addresses of pictures: none may lead a browser into its own network.
import { describe, expect, test } from "vitest";

const { imageOf, pictureUrl } = (await import(
  new URL("assets/explore/picture.js", import.meta.url).href
)) as {
  pictureUrl: (uri: unknown, ownHost: string) => string | null;
  imageOf: (asset: unknown, ownHost: string) => string | null;
};

const ownHostText = "rpc.lamplight.test-host.org";
const urlOf = (uri: unknown): string | null => pictureUrl(uri, ownHostText);
const cid = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy";
const arweaveId = "oPxAZBU-_FdEMg8X3Yz04o0TIzvmqwoMmq8ROzvhnp0";

describe("pictureUrl", () => {
  test.each([
    ["https://pictures.example.org/a.png", "https://pictures.example.org/a.png"],
    ["  https://pictures.example.org/a b.png?x=1 ", "https://pictures.example.org/a%20b.png?x=1"],
    ["HTTPS://PICTURES.example.org/a.png", "https://pictures.example.org/a.png"],
    [`ipfs://${cid}`, `https://ipfs.io/ipfs/${cid}`],
    [`ipfs://${cid}/a..b/1.png?ext=png`, `https://ipfs.io/ipfs/${cid}/a..b/1.png?ext=png`],
    [`IPFS://ipfs/${cid}/1%20.png`, `https://ipfs.io/ipfs/${cid}/1%20.png`],
    [`ipfs:${cid}`, `https://ipfs.io/ipfs/${cid}`],
    [`ar://${arweaveId}/1.png`, `https://arweave.net/${arweaveId}/1.png`],
    ["data:image/svg+xml,%3Csvg/%3E", "data:image/svg+xml,%3Csvg/%3E"],
    ["DATA:image/png;base64,AA==", "DATA:image/png;base64,AA=="],
  ])("%s is loaded from %s", (uri, url) => {
    expect(urlOf(uri)).toBe(url);
  });

  test.each([
    ..."0 5 null [] {}".split(" ").map((text) => JSON.parse(text) as unknown),
    undefined,
    "",
    "a.png",
    "/v3/demo",
    "//pictures.example.org/a.png",
    "http://pictures.example.org/a.png",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://pictures.example.org/1",
    "file:///etc/passwd",
    `https://${ownHostText}/v3/demo`,
    `https://${ownHostText}:443/a.png`,
    "https://user:secret@pictures.example.org/a.png",
    "https://pictures.example.org:8443/a.png",
  ])("%s is no picture of another host", (uri) => {
    expect(urlOf(uri)).toBeNull();
  });

  test.each(
    [
      "router.lan",
      "ROUTER.LAN",
      "router.lan.",
      "router.lan..",
      "router%2elan",
      "router。lan",
      "rou\tter.lan",
      "router",
      "localhost",
      "a.localhost",
      "printer.local",
      "nas.home.arpa",
      "x.internal",
      "host.docker.internal",
      "intranet.corp",
      "fritz.box",
      "www.routerlogin.net",
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "0",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "[::1]",
      "[fd00::1]",
      "[fe80::1]",
      "[::ffff:192.168.1.1]",
      "[64:ff9b::c0a8:101]",
      "192.168.1.1.nip.io",
      "10-0-0-1.anything.example.org",
      "app-10-0-0-1.example.org",
      "c0a80101.nip.io",
      "localtest.me",
      "a.lvh.me",
    ].flatMap((host) => [`https://${host}/a.png`, `https:\\\\${host}\\a.png`, `https:${host}/a.png`]),
  )("%s is in the visitor's network", (uri) => {
    expect(urlOf(uri)).toBeNull();
  });

  test.each([
    "ipfs://",
    "ipfs://..",
    "ipfs://../",
    "ipfs://../api/v0/id",
    "ipfs:///../x",
    "ipfs://ipfs/../x",
    "ipfs://./../x",
    "ipfs://.\t./x",
    "ipfs://%2e%2e/x",
    "ipfs://..\\x",
    "ipfs://@router.lan/x",
    `ipfs://${cid}/../../x`,
    `ipfs://${cid}/%2e%2e/%2E%2E/x`,
    `ipfs://${cid}\\..\\..\\x`,
    `ipfs://${cid}/..%2f..%2fx`,
    `ipfs://${cid}/..%5c..%5cx`,
    `ipfs://${cid}/%252e%252e%252f%252e%252e/x`,
    `ipfs://${cid}/%2525252525252e`,
    `ipfs://${cid}/..;/..;/x`,
    `ipfs://${cid}/..%00/x`,
    "ar://../x",
    "ar://",
    `ar://${arweaveId}/..%2f..%2fx`,
  ])("%s leaves its gateway's path", (uri) => {
    expect(urlOf(uri)).toBeNull();
  });

  test("paths of any parts stay below /ipfs/ in every decoding", () => {
    const seed = Number(process.env["LAMPLIGHT_PROPERTY_SEED"] ?? 1);
    let state = seed;
    const below = (end: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % end;
    };
    const parts = [
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2f",
      "%5c",
      "%25",
      "2e",
      "a",
      cid,
      "?",
      "#",
      "@",
      "\t",
      ";",
    ];
    for (let run = 0; run < 20_000; run += 1) {
      const uri = `ipfs://${Array.from({ length: below(9) }, () => parts[below(parts.length)]!).join("")}`;
      let path = urlOf(uri) === null ? "/ipfs/" : new URL(urlOf(uri)!).pathname;
      for (let round = 0; round < 8; round += 1) {
        // Some servers decode the path once more and then join it.
        expect([`seed ${seed}`, uri, new URL(path, "https://ipfs.io").pathname.startsWith("/ipfs/")]).toEqual(
          [`seed ${seed}`, uri, true],
        );
        path = path.replaceAll(/%[\da-f]{2}/giu, (code) =>
          String.fromCharCode(Number.parseInt(code.slice(1), 16)),
        );
      }
    }
  });
});

test("an asset shows its first picture that may be loaded, whatever its document holds", () => {
  const safe = "https://pictures.example.org/a.png";
  const content = {
    links: { image: "https://router.lan/a.png" },
    files: [null, 5, { uri: safe, mime: "image/png" }],
  };
  expect(imageOf({ content }, ownHostText)).toBe(safe);
  for (const odd of [
    undefined,
    null,
    {},
    { files: [{ uri: safe, mime: "text/html" }] },
    { links: { image: {} } },
  ])
    expect(imageOf({ content: odd }, ownHostText)).toBeNull();
});
