/**
 * `pay --help` as a separate program. The built program contains the finished page and not the code that makes it, because users
 * often call it only to see whether `pay` is installed.
 */
import * as Color from "../terminal/Color.ts"
import { folded } from "../terminal/Folding.ts"
import * as HelpPage from "./HelpPage.ts"

const { columns, isTTY } = process.stdout
const page = HelpPage.overview()

/** A closed output (`pay --help | head`) is not a failure. */
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1))
const text = isTTY ? folded(page, columns || 80) : page
process.stdout.write(`${Color.isWanted(process.env, isTTY === true) ? Color.page(text) : text}\n`)
