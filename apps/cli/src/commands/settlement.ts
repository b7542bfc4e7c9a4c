/** `pay settlement export`: the books of a day as CSV, page by page to standard output. */
import { codes } from "../ExitCode.ts"
import { commands } from "../OperatorCommands.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import { UsageError } from "../UsageError.ts"

const linesAtOnce = "1000"

const write = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()))

export const run = OperatorRoom.running(
  "settlement",
  commands.settlement,
  { export: 0 },
  async ({ gateway, given }) => {
    const day = given.flags.get("day")
    if (day === undefined) throw new UsageError("Name the day: --day 2026-11-21", "settlement")
    const asked = { day, merchant: given.flags.get("merchant"), limit: linesAtOnce }
    let after: string | undefined
    do {
      const { headers, text } = await gateway.text({ path: "/operator/settlement.csv", query: { ...asked, after } })
      await write(text)
      after = headers.get("x-next") ?? undefined
    } while (after !== undefined)
    return codes.ok
  }
)
