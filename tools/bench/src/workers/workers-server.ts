// The server as a user starts it, with as many workers as the bench asks for.
import { serve } from "@lamplight/server";
import { parseFlags, serveOptions } from "@lamplight/server/command";

await serve(parseFlags(process.argv.slice(2), serveOptions), process.env);
