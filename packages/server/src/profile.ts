export const profileSettings = ["auto", "spec", "agave"] as const;
export type ProfileSetting = (typeof profileSettings)[number];
