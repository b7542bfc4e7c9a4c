/** Runs the program `pay` as a process. */

import { run } from "./Run.ts"
import { codes } from "./terminal/ExitCode.ts"

/** A closed output (`pay help | head`) is not a failure. Any other one, such as a full disk, hides what the command did. */
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(codes.ok)
  process.stderr.write(`The output could not be written: ${message}\n`, () => process.exit(codes.unknown))
})
process.stderr.on("error", () => undefined)

process.exitCode = await run(process.argv.slice(2))

/** Timers and connections of an adapter that `pay adapter check` has loaded would keep this process. */
setTimeout(() => process.exit(), 500).unref()
