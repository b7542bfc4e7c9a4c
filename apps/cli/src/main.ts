/** Runs the program `pay` as a process. */
import { codes } from "./ExitCode.ts"
import { run } from "./Run.ts"

/** A closed output (`pay help | head`) is not a failure. */
process.stdout.on("error", () => process.exit(codes.ok))

process.exitCode = await run(process.argv.slice(2))
