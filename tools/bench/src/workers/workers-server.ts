// The server as a user starts it, with as many workers as the bench asks for.
import { serve } from "@lamplight/server";

await serve(process.argv.slice(2), process.env);
