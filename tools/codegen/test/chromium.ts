// A real Chromium, driven over its DevTools protocol: Node brings the WebSocket, so no driver has to be installed.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian's package, or `LAMPLIGHT_CHROMIUM`; null where there is none. */
export const chromiumPath: string | null =
  [process.env["LAMPLIGHT_CHROMIUM"] ?? "/usr/bin/chromium"].find((path) => existsSync(path)) ?? null;

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const ANSWER_MS = 120_000;

/** One tab. */
export class Tab {
  /** Errors and warnings of the console, exceptions, and what the policy of the page blocked. */
  readonly complaints: string[] = [];
  /** Addresses that the page asked for, without data URIs. */
  readonly requests: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #next = 1;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#onMessage(JSON.parse(String(data)) as Message));
  }

  send(method: string, params: Params = {}): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS);
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(late);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** The value of an expression in the page, awaited. */
  async run<Value>(expression: string): Promise<Value> {
    const options = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = (await this.send("Runtime.evaluate", options)) as {
      result: { value: Value };
      exceptionDetails?: { exception?: { description?: string } };
    };
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? "exception");
    return result.value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    const deadline = Date.now() + ANSWER_MS;
    for (;;) {
      if (await this.run<boolean>(`Boolean(${expression})`).catch(() => false)) return;
      if (Date.now() > deadline) throw new Error(`never true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async open(url: string): Promise<void> {
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url });
    await this.until(`location.href !== "about:blank" && document.readyState === "complete"`);
  }

  async look(width: number, scheme: "light" | "dark"): Promise<void> {
    const metrics = { width, height: 900, deviceScaleFactor: 1, mobile: false };
    await this.send("Emulation.setDeviceMetricsOverride", metrics);
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  async press(key: string, modifiers = 0): Promise<void> {
    const text = key.length === 1 && modifiers === 0 ? { text: key } : key === "Enter" ? { text: "\r" } : {};
    const windowsVirtualKeyCode = virtualKeys[key] ?? key.toUpperCase().charCodeAt(0);
    for (const type of ["keyDown", "keyUp"])
      await this.send("Input.dispatchKeyEvent", { type, key, modifiers, windowsVirtualKeyCode, ...text });
  }

  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = (await this.send("Page.captureScreenshot", { format: "png" })) as { data: string };
    return Buffer.from(data, "base64");
  }

  #onMessage(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    const { method, params = {} } = message;
    if (method === "Runtime.exceptionThrown")
      this.complaints.push(JSON.stringify(params["exceptionDetails"]));
    const { request } = params as { request?: { url: string } };
    if (method === "Network.requestWillBeSent" && request !== undefined && !request.url.startsWith("data:"))
      this.requests.push(request.url);
    const { entry } = params as { entry?: { level: string; text: string; url?: string } };
    if (
      method === "Log.entryAdded" &&
      entry !== undefined &&
      entry.level !== "verbose" &&
      entry.level !== "info"
    )
      this.complaints.push(`${entry.level}: ${entry.text} ${entry.url ?? ""}`);
  }
}

const virtualKeys: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40 };

export const CONTROL = 2;

export interface Browser {
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

/** A name of this machine that looks public. */
export const publicName = "rpc.example.org";

const thisMachine = `MAP ${publicName} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`;

export const startChromium = async (): Promise<Browser> => {
  const profile = mkdtempSync(join(tmpdir(), "lamplight-chromium-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const quiet = ["--no-first-run", "--disable-background-networking", "--hide-scrollbars"];
  // Pages that a test opens reach this machine only.
  const alone = [
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
    `--host-resolver-rules=${thisMachine}`,
  ];
  const child = spawn(
    chromiumPath!,
    [...flags, ...quiet, ...alone, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = new URL(await debuggerUrl(child)).port;
  return {
    openTab: async () => {
      const made = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: "PUT" });
      const { webSocketDebuggerUrl } = (await made.json()) as { webSocketDebuggerUrl: string };
      const socket = new WebSocket(webSocketDebuggerUrl);
      await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
      const tab = new Tab(socket);
      for (const domain of ["Page", "Runtime", "Log", "Network"]) await tab.send(`${domain}.enable`);
      return tab;
    },
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

const debuggerUrl = async (child: ChildProcess): Promise<string> => {
  for await (const line of createInterface(child.stderr!)) {
    const url = /DevTools listening on (ws:\S+)/u.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr!.resume();
    return url;
  }
  throw new Error("Chromium ended before it listened");
};
