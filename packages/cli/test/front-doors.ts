// The proxies of deploy/, started from their published files: only names, addresses, certificates and folders are replaced.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Settings of a proxy that a test starts. */
export interface DoorParts {
  /** An empty folder for its files and logs. */
  readonly folder: string;
  /** Port of 127.0.0.1 for TLS. */
  readonly port: number;
  /** Ports of two servers. */
  readonly upstreams: readonly [number, number];
  readonly certificate: Certificate;
}

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** A proxy that Lamplight has a file for. */
export interface DoorProgram {
  readonly name: string;
  /** Starts it; it serves `https://localhost:PORT`. */
  readonly start: (parts: DoorParts) => ChildProcess;
}

const deployFile = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../deploy/${name}`, import.meta.url)), "utf8");

/** @throws Error where the file does not have the text: a replacement must not be lost */
const replaceAll = (text: string, pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`the file has no ${JSON.stringify(from)}`);
    return replaced.replaceAll(from, to);
  }, text);

const upstreamPairs = ([first, second]: DoorParts["upstreams"]) =>
  [
    ["127.0.0.1:5267", `127.0.0.1:${first}`],
    ["127.0.0.1:5268", `127.0.0.1:${second}`],
  ] as const;

const startNginx = ({ folder, port, upstreams, certificate }: DoorParts): ChildProcess => {
  const site = replaceAll(deployFile("nginx.conf"), [
    ...upstreamPairs(upstreams),
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    // Only the root user may listen on 80.
    ["listen 80 default_server", `listen unix:${join(folder, "plain.sock")} default_server`],
    ["lamplight.example", "localhost"],
    ["/etc/ssl/lamplight/certificate.pem", certificate.certificateFile],
    ["/etc/ssl/lamplight/key.pem", certificate.keyFile],
    ["/var/log/nginx/", `${folder}/`],
  ]);
  writeFileSync(join(folder, "lamplight.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, `temp-${name}`)};`,
  );
  // This main file is like Debian's, with two processes and compression on, which the site must turn off.
  writeFileSync(
    join(folder, "main.conf"),
    `daemon off; worker_processes 2; pid ${folder}/nginx.pid; error_log ${folder}/main-error.log info;
events { worker_connections 1024; }
http { access_log ${folder}/main.log; gzip on; gzip_types application/json; ${temporary.join(" ")} include ${folder}/lamplight.conf; }\n`,
  );
  return spawn("nginx", ["-p", folder, "-e", join(folder, "start.log"), "-c", join(folder, "main.conf")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
};

const startCaddy = ({ folder, port, upstreams, certificate }: DoorParts): ChildProcess => {
  const { certificateFile, keyFile } = certificate;
  const file = replaceAll(deployFile("Caddyfile"), [
    ...upstreamPairs(upstreams),
    ["{\n\tservers {", "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {"],
    [
      "lamplight.example {",
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificateFile} ${keyFile}`,
    ],
    ["/var/log/caddy/", `${folder}/`],
  ]);
  writeFileSync(join(folder, "Caddyfile"), file);
  return spawn("caddy", ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
    // It keeps state in the home folder.
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
};

const programs: readonly DoorProgram[] = [
  { name: "nginx", start: startNginx },
  { name: "caddy", start: startCaddy },
];

const isInstalled = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: "ignore" }).status === 0;

/** The programs of this machine; says on the terminal which are missing. */
export const findDoorPrograms = (): readonly DoorProgram[] => {
  const tools = [isInstalled("openssl", "version"), isInstalled("curl", "--version")];
  return programs.filter(({ name }) => {
    const isThere = tools.every(Boolean) && isInstalled(name, name === "nginx" ? "-v" : "version");
    if (!isThere)
      console.warn(`SKIPPED: the ${name} file of deploy/ is not tried: install ${name}, curl and openssl`);
    return isThere;
  });
};

/** Makes a certificate for `localhost`, signed by its own key. */
export const makeCertificate = (folder: string): Certificate => {
  mkdirSync(folder, { recursive: true });
  const certificateFile = join(folder, "certificate.pem");
  const keyFile = join(folder, "key.pem");
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync(
    "openssl",
    ["req", "-x509", ...curve, "-nodes", "-days", "2", ...names, "-keyout", keyFile, "-out", certificateFile],
    { stdio: "ignore" },
  );
  return { certificateFile, keyFile };
};

export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
};

/** Everything that a proxy wrote into its folder, but its settings. */
export const readLogs = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".log"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
