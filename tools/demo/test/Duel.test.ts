/** The duel of the two checkouts: as a program, and with an opponent that makes no mistake. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import * as Duel from "../src/duel/Duel.ts"
import { inTerminal, type Line, svg } from "../src/duel/Picture.ts"

it("npm run duel ends with two charges against one, and names the signature mistake", async () => {
  const main = join(import.meta.dirname, "../src/duel/main.ts")
  const { stdout } = await promisify(execFile)(process.execPath, [main])
  expect(stdout).toMatch(/^2 charges, 96\.00 USD +1 charge, 48\.00 USD$/m)
  expect(stdout).toContain("The amount was signed in major units")
  expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80)
})

it("the duel is not won against a shop that charges once, and its picture shows the same lines", async () => {
  const lines: Array<Line> = []
  expect(await Duel.play((line) => lines.push(line), Duel.byFlow)).toBe(false)
  const books = "1 charge, 48.00 USD                     1 charge, 48.00 USD"
  expect(lines.map((line) => inTerminal(line, false))).toContain(books)
  expect(svg("A duel", lines)).toContain("1 charge, 48.00 USD")
})
