#!/usr/bin/env node
import { isNodeSupported, refuseNode } from "@lamplight/server/check-node";

if (isNodeSupported) await import("../dist/main.js");
else refuseNode("lamplight");
