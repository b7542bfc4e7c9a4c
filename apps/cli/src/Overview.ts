/**
 * `pay --help` as a program of its own. The built one contains the page as text, and nothing that made it: this page is opened by
 * who only looks whether the program is there.
 */
import { folded } from "./Folding.ts"
import * as HelpPage from "./HelpPage.ts"

const { columns, isTTY } = process.stdout
const page = HelpPage.overview()

/** A reader that has seen enough (`pay --help | head`) is no failure. */
process.stdout.on("error", () => process.exit(0))
process.stdout.write(`${isTTY ? folded(page, columns || 80) : page}\n`)
