import { configureGlobal, readConfigureGlobal } from "fast-check";

/**
 * Property tests draw the same values in every run, so that a failure is due to the change. The chaos bench
 * draws new ones; its seed is in the output of a failure.
 */
const seed = Number(process.env["LAMPLIGHT_PROPERTY_SEED"] ?? 1);

configureGlobal({ ...readConfigureGlobal(), seed });
