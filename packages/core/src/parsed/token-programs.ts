// Next to the parsers, because it decides which fallback an account takes that no parser knows.
export { isTokenProgram } from "@lamplight/codecs";
