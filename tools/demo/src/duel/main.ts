/** `npm run duel`: a checkout by hand and one on `@pay/client`, side by side. `--picture FILE` draws what it prints. */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import * as Duel from "./Duel.ts"
import { inTerminal, type Line, svg } from "./Picture.ts"

const { values } = parseArgs({ options: { picture: { type: "string" } } })
const lines: Array<Line> = []
const turnedOut = await Duel.play((line) => {
  lines.push(line)
  console.log(inTerminal(line, process.stdout.isTTY && process.stdout.hasColors()))
})
if (values.picture !== undefined)
  writeFileSync(values.picture, svg("A checkout by hand charges twice, one on @pay/client charges once", lines))
if (!turnedOut) {
  console.log("It did not turn out as it must: 2 charges against 1, and the mistake named.")
  process.exitCode = 1
}
