// Which pictures a page may load. Creators write the addresses, so each one is hostile until it has passed every check here.
// A page cannot see where a public name leads: only a picture proxy stops names and redirects to the visitor's network.

const gateways = [
  { scheme: /^ipfs:\/*(?:ipfs\/+)?/i, place: "https://ipfs.io/ipfs/", id: /^[a-z\d]+$/i },
  { scheme: /^ar:\/*/i, place: "https://arweave.net/", id: /^[\w-]{43}$/ },
];

/** Suffixes that public name servers do not have, or that they answer with an address of the visitor's network. */
const privateSuffixes = (
  "alt arpa bbrouter belkin corp dhcp docker domain gateway home host.docker intern internal intra intranet invalid ip kube lan local " +
  "localdomain localhost lokal mail modem nas onion private router test vm wifi wlan workgroup " +
  "fritz.box easy.box o2.box routerlogin.com routerlogin.net orbilogin.com orbilogin.net mywifiext.net tplinkwifi.net " +
  "tplinklogin.net router.asus.com miwifi.com my.meraki.com dsldevice.lan plex.direct nip.io sslip.io xip.io " +
  "localtest.me lvh.me vcap.me lacolhost.com traefik.me localho.st local.gd"
).split(" ");

/** Four numbers between dots or hyphens: a name that carries an IPv4 address. */
const carriesAddress = /(?:^|[.-])(?:\d{1,3}[.-]){3}\d{1,3}(?:[.-]|$)/;

const isPublicName = (hostname) => {
  const name = hostname.replace(/\.+$/, "");
  if (!name.includes(".") || name.startsWith("[") || carriesAddress.test(name)) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
};

/** No legitimate path is encoded this often. */
const DECODINGS_MAX = 4;

/** Null where it is still encoded after the last decoding. */
const decoded = (text) => {
  let current = text;
  for (let round = 0; round < DECODINGS_MAX; round += 1) {
    const next = current.replaceAll(/%[\da-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (next === current) return current;
    current = next;
  }
  return null;
};

/** Below the gateway's path, in every way in which a server may decode and join the rest. */
const isBelow = (url, { place, id }) => {
  const { origin, pathname } = new URL(place);
  if (url.origin !== origin || !url.pathname.startsWith(pathname)) return false;
  const [first, ...rest] = decoded(url.pathname.slice(pathname.length))?.split(/[/\\]/) ?? [""];
  return id.test(first) && rest.every((segment) => !segment.trim().startsWith(".."));
};

/**
 * The https or data URL of a picture; null for anything that a page must not load.
 *
 * @param ownHost - host name of this page: pictures never address its server
 */
export const pictureUrl = (uri, ownHost = location.hostname) => {
  if (typeof uri !== "string") return null;
  // As the URL parser does it.
  const text = uri.trim().replaceAll(/[\t\n\r]/g, "");
  if (/^data:image\//i.test(text)) return text;
  const gateway = gateways.find(({ scheme }) => scheme.test(text));
  const absolute = gateway === undefined ? text : gateway.place + text.replace(gateway.scheme, "");
  if (!URL.canParse(absolute)) return null;
  const url = new URL(absolute);
  if (gateway !== undefined) return isBelow(url, gateway) ? url.href : null;
  const isPlain = url.username === "" && url.password === "" && url.port === "";
  if (url.protocol !== "https:" || !isPlain) return null;
  return url.hostname !== ownHost && isPublicName(url.hostname) ? url.href : null;
};

/** The first picture of an asset that may be loaded. */
export const imageOf = ({ content }, ownHost = location.hostname) => {
  const files = (content?.files ?? []).filter((file) => String(file?.mime).startsWith("image/"));
  for (const uri of [content?.links?.image, ...files.map((file) => file.uri)]) {
    const url = pictureUrl(uri, ownHost);
    if (url !== null) return url;
  }
  return null;
};
