// Asks this container's own process how it is: without curl, which the image does not have.
const url =
  process.env["LAMPLIGHT_HEALTH_URL"] ?? `http://127.0.0.1:${process.env["LAMPLIGHT_PORT"] ?? 5267}/readyz`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(4000) });
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
