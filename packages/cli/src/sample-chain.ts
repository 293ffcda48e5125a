export { sampleKey as SAMPLE_KEY, SAMPLE_SEED, startSampleServer } from "./dev/sample-server.ts";
