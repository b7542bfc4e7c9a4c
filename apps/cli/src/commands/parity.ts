/** `pay parity`: whether everything that is money adds up, while one watches. */
import { codes } from "../ExitCode.ts"
import { commands } from "../OperatorCommands.ts"
import { type Json, OperatorFailure } from "../OperatorGateway.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"

const counts = ({ entries, orders }: Json): string => `${orders} orders, ${entries} entries`

export const run = OperatorRoom.running(
  "parity",
  commands.parity,
  { "": 0 },
  async ({ gateway, given, progress, tell }) => {
    const path = "/operator/parity"
    let seen: Json = await gateway
      .json({ method: "POST", path, query: OperatorRoom.queryOf(given, ["from", "to"]) })
      .catch((error: unknown) => {
        if (error instanceof OperatorFailure && error.json.state === "running") return { ...error.json }
        throw error
      })
    while (seen.state === "running") {
      progress(counts(seen))
      await OperatorRoom.pause()
      seen = await gateway.json({ path })
    }
    if (seen.state !== "done")
      throw new OperatorFailure(codes.unknown, "The run broke off: the gateway's log says why.", {
        ...seen,
        outcome: "unknown"
      })
    const findings = Rows.rowsOf(seen.findings)
    const text =
      seen.found === 0
        ? `Everything adds up: ${counts(seen)}.`
        : `${seen.found} findings in ${counts(seen)}:\n${Rows.table(findings, ["where", "expected", "found"])}`
    tell(text, seen)
    return seen.found === 0 ? codes.ok : codes.refused
  }
)
