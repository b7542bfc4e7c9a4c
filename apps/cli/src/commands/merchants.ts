/** `pay merchants`: who is known to the gateway, and reading their description again. */
import { commands } from "../Commands.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as Flags from "../Flags.ts"
import * as OperatorGateway from "../OperatorGateway.ts"
import * as Output from "../Output.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

type Gateway = OperatorGateway.OperatorGateway

const list = async (gateway: Gateway): Promise<Output.Report> => {
  const { merchants } = await gateway.json({ path: "/operator/merchants" })
  const text = Rows.table(Rows.rowsOf(merchants), ["login", "name", "endpoints", "groups"])
  return { text, json: { outcome: "answered", merchants } }
}

const show = async (gateway: Gateway, login: string): Promise<Output.Report> => {
  const merchant = await gateway.json({ path: "/operator/merchants", query: { login } })
  const endpoints = Rows.table(Rows.rowsOf(merchant.endpoints), [
    "id",
    "enabled",
    "currencies",
    "controlAmount",
    "threeds",
    "payoutApproval",
    "unexpectedApproval",
    "timeZone",
    "descriptor"
  ])
  const parts = [
    Rows.card(merchant),
    endpoints,
    Rows.table(Rows.rowsOf(merchant.groups), ["id", "endpoints"]),
    Rows.table(Rows.rowsOf(merchant.approvers), ["name", "fingerprint"])
  ]
  const [card, ...tables] = parts
  const heads = ["Endpoints", "Groups", "Approvers"]
  const text = [card, ...tables.map((table, at) => `${heads[at]}:\n${table}`)].join("\n\n")
  return { text, json: { outcome: "answered", ...merchant } }
}

const reload = async (gateway: Gateway): Promise<Output.Report> => {
  const done = await gateway.json({ method: "POST", path: "/operator/merchants/reload" })
  return { text: Rows.card(done), json: { outcome: "done", ...done } }
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.merchants.flags)) }, "merchants")
  const [what, login, ...more] = given.operands
  const asJson = given.flags.has("json")
  const report = (gateway: Gateway): Promise<Output.Report> => {
    if (what === "list" && login === undefined) return list(gateway)
    if (what === "show" && login !== undefined && more.length === 0) return show(gateway, login)
    if (what === "reload" && login === undefined) return reload(gateway)
    throw new UsageError("Say list, show LOGIN or reload: pay merchants list", "merchants")
  }
  return OperatorGateway.ending(asJson, async () => {
    Output.print(await report(await OperatorGateway.make(given)), asJson)
    return codes.ok
  })
}
