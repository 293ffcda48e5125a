import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./address-guard.ts";

describe("isPublicAddress", () => {
  test.each([
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "fc00::1",
    "fdff:ffff::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "64:ff9b:1::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "0:0:0:0:0:ffff:c0a8:101",
    "64:ff9b::10.0.0.1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "localhost",
    "",
    "1.2.3",
  ])("refuses %j", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    "1.1.1.1",
    "9.255.255.255",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "198.17.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "2002:101:101::1",
  ])("takes %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test("an IPv4 address is judged alike in all its IPv6 clothes", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        const expected = isPublicAddress(ipv4);
        expect(isPublicAddress(`::ffff:${ipv4}`)).toBe(expected);
        expect(isPublicAddress(`64:ff9b::${high}:${low}`)).toBe(expected);
        expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(expected);
      }),
    );
  });
});
