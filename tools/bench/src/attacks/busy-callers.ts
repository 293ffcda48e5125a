// A process of callers, each of which asks again as soon as it is answered, until the process is ended.
export interface BusyCallers {
  readonly url: string;
  readonly callers: number;
  /** Each caller sends one of them, again and again. */
  readonly bodies: readonly string[];
}

const callOn = async (url: string, body: string): Promise<never> => {
  for (;;) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    await response.arrayBuffer();
  }
};

process.once("message", ({ url, callers, bodies }: BusyCallers) => {
  for (let caller = 0; caller < callers; caller++)
    callOn(url, bodies[caller % bodies.length]!).catch(() => process.exit(1));
});
