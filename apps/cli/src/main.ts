/** The program `pay`, in a process of its own. */
import { codes } from "./ExitCode.ts"
import { run } from "./Run.ts"

/** A reader that has seen enough (`pay help | head`) is no failure. */
process.stdout.on("error", () => process.exit(codes.ok))

process.exitCode = await run(process.argv.slice(2))
