export { sampleKey as SAMPLE_KEY, startSampleServer } from "./dev/sample-server.ts";
