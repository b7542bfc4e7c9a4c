/** Reads the command line of a command of this repository. */
import { type ParseArgsConfig, parseArgs } from "node:util"

/** Like `parseArgs`. If an option is wrong, prints why and how to call the command, and ends the process with 2. */
export const parse = <T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(". To specify")
    console.error(`${reason}\n\n${usage}`)
    return process.exit(2)
  }
}
