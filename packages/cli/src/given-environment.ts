/**
 * The environment as it was given, before `LAMPLIGHT_…_FILE` variables are replaced: `serve` reads their files again at
 * SIGHUP. `main.ts` imports it before it replaces them.
 */
export const givenEnvironment: Readonly<Record<string, string | undefined>> = { ...process.env };
