/** `permanentFreezeDelegate` → `permanent_freeze_delegate`, the key of a plugin. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `linkedAppData` → `LinkedAppData`, the name of a variant where the program's own spelling is shown. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
