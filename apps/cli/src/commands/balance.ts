/** `pay balance`: money that merchants may pay out. */
import { commands } from "../Commands.ts"
import { codes } from "../ExitCode.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

const columns = ["endpoint", "currency", "available", "held", "paid"]

const required = ["reference", "merchant", "endpoint", "amount"]

export const run = OperatorRoom.running(
  "balance",
  commands.balance,
  { add: 0, show: 0 },
  async ({ gateway, given, tell, verb }) => {
    const path = "/operator/balances"
    const missing = (verb === "show" ? ["merchant"] : required).filter((name) => !given.flags.has(name))
    if (missing.length > 0) throw new UsageError(`Give ${missing.map((name) => `--${name}`).join(", ")}`, "balance")
    if (verb === "show") {
      const found = await gateway.json({ path, query: OperatorRoom.queryOf(given, ["merchant"]) })
      tell(Rows.table(Rows.rowsOf(found.balances), columns), found)
      return codes.ok
    }
    const body = OperatorRoom.queryOf(given, [...required, "currency"])
    const booked = await gateway.json({ method: "POST", path, body })
    tell(`${booked.replay === true ? "Booked before" : "Booked"}\n${Rows.card(booked)}`, booked)
    return codes.ok
  }
)
