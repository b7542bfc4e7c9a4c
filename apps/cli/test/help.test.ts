import { describe, expect, it } from "@effect/vitest"
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import * as FieldNames from "@pay/flows/FieldNames"
import { HostedSale } from "@pay/flows/HostedCheckout"
import { PayOut } from "@pay/flows/PayOut"
import { Subscribe } from "@pay/flows/Subscription"
import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as CommandGroups from "../src/CommandGroups.ts"
import { commands } from "../src/Commands.ts"
import * as Contract from "../src/command/Contract.ts"
import * as Flags from "../src/command/Flags.ts"
import * as OperationName from "../src/command/OperationName.ts"
import * as FlowCommands from "../src/flow/FlowCommands.ts"
import * as FlowKinds from "../src/flow/FlowKinds.ts"
import * as HelpPage from "../src/help/HelpPage.ts"
import * as FieldInput from "../src/request/FieldInput.ts"
import * as ExitCode from "../src/terminal/ExitCode.ts"
import * as Folding from "../src/terminal/Folding.ts"

import { version } from "../src/terminal/Version.ts"
import { pay } from "./Pay.ts"

const factsOf = (operation: Operation) => Contract.all.find(({ command }) => command === operation.command)

describe.each(PayApi.all.map((operation) => [operation.command, operation] as const))("help for %s", (_, operation) => {
  const facts = factsOf(operation)
  const page = facts === undefined ? "" : HelpPage.operation(facts)

  it("says what it does and how it is signed", () => {
    expect(page).toContain(`${operation.name}: ${operation.summary}`)
    expect(page).toContain(`POST ${operation.path}/{endpoint id}`)
  })
  it("explains every field under required or optional", () => {
    const [required = "", optional = ""] = page.split("Optional fields:")
    for (const [name, field] of Object.entries(operation.fields)) {
      const part = Field.isOptional(field) ? optional : required
      expect(part).toMatch(
        new RegExp(
          `^  --${name} +${Field.info(field)
            .about.slice(0, 20)
            .replace(/[()`.*+?]/g, "\\$&")}`,
          "m"
        )
      )
    }
  })
  it("names every other spelling of a field", () => {
    for (const alias of Object.keys(operation.aliases)) expect(page).toContain(`--${alias}`)
  })
  it("has an example that the operation accepts", () => {
    const example = facts?.example.map((name) => [name, facts.fields.get(name)?.sample ?? ""]) ?? []
    expect(operation.decodeFields(Object.fromEntries(example))).toMatchObject({ _tag: "Success" })
  })
  it("has no field that a flag of a command hides", () => {
    if (facts === undefined) throw new Error("the operation is not in the contract file")
    for (const command of [commands.call, commands.sign, commands.verify, commands.explain]) {
      const names = Object.keys(command.flags).filter((name) => name !== "login")
      expect(names.filter((name) => facts.spellings.has(name))).toEqual([])
      const accepted = FieldInput.accepted(facts, command)
      for (const name of facts.spellings.keys()) {
        const given = Flags.parse([`--${name}=x`], accepted, "call")
        expect([...given.flags.keys()]).toEqual([facts.spellings.get(name)])
      }
    }
  })
})

const flows = {
  sale: CardSale,
  authorize: Authorization,
  payout: PayOut,
  subscribe: Subscribe,
  hosted: HostedSale
} as const
describe.each(FlowCommands.names.map((name) => [name, flows[name]] as const))("help for the flow %s", (name, flow) => {
  const facts = OperationName.find(FlowCommands.flows[name], "flow")
  const page = HelpPage.flow(name, facts)

  it("explains every field of the flow", () => {
    const fields = Object.keys(FieldNames.requestOf<unknown>(FlowKinds.find(name).operation, flow.payload.fields))
    for (const field of fields.filter((field) => field !== "endpointId")) {
      expect(page).toContain(`  --${field} `)
    }
    expect(page).not.toContain("--login ")
  })
  it("describes the first operation of the flow", () =>
    expect(FlowKinds.find(name).operation.command).toEqual(facts.command))
  it("is printed by pay help flow and by --help", async () => {
    for (const args of [
      ["help", "flow", name],
      ["flow", name, "--help"]
    ]) {
      expect(await pay(args)).toEqual({ code: 0, out: `${page}\n`, err: "" })
    }
  })
})

it("help lists every command in one group", () => {
  const names = CommandGroups.all.flatMap((group) => group.names)
  expect(names.toSorted()).toEqual(Object.keys(commands).toSorted())
  expect(Math.max(...CommandGroups.all.map((group) => group.names.length))).toBeLessThanOrEqual(10)
})

it("help has exactly the operations of the contract", () =>
  expect(Contract.all.map(({ command }) => command)).toEqual(PayApi.all.map(({ command }) => command)))

it("a page of help folds paragraphs and second columns, and never folds a command to copy", () => {
  const page = [
    "A word and another one, then more of them.",
    "",
    "  --flag  Says what it is for, at length.",
    "  pay call sale --amount 10.42"
  ]
  expect(Folding.folded(page.join("\n"), 30).split("\n")).toEqual([
    "A word and another one, then",
    "more of them.",
    "",
    "  --flag  Says what it is for,",
    "          at length.",
    "  pay call sale --amount 10.42"
  ])
  const long = "  echo 'a=1&b=2' | pay flow sale --form - --3ds pass"
  expect(Folding.folded(long, 30)).toEqual(long)
})

describe("pay without network and settings", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("prints the overview for %j", async (args) => {
    const { code, err, out } = await pay(args)
    expect([code, err]).toEqual([0, ""])
    for (const [name, { summary }] of Object.entries(commands))
      expect(out).toMatch(new RegExp(`^  ${name} +${summary}`, "m"))
    for (const exitCode of Object.values(ExitCode.codes)) expect(out).toMatch(new RegExp(`^  ${exitCode} `, "m"))
  })
  it.each([[["--version"]], [["-v"]]])("prints its version for %j", async (args) =>
    expect(await pay(args)).toEqual({ code: 0, out: `${version}\n`, err: "" })
  )
  it.each([
    [["help", "call"], "Usage: pay call OPERATION", "  transfer-by-ref  "],
    [["call", "--help"], "Usage: pay call OPERATION", "  transfer-by-ref  "],
    [["explain", "payout", "--help"], "Usage: pay explain payout --field value", "--received"],
    [["help", "verify", "sale"], "Usage: pay verify sale --field value", "--received"],
    [["sign", "sale", "--help"], "Usage: pay sign sale --field value", "--control-key-file"],
    [["help", "status"], "Usage: pay status [CLIENT_ORDERID]", "--watch"],
    [["status", "1", "--help"], "Usage: pay status [CLIENT_ORDERID]", "--watch"],
    [["help", "gateway"], "Usage: pay gateway start", "--port PORT"],
    [["help", "order"], "Usage: pay orders search", "Also: pay order\n"],
    [["order", "--help"], "Usage: pay orders search", "Also: pay order\n"],
    [["help", "call", "capture"], "CAPTURE: Captures", "--orderid"],
    [["call", "capture", "--amount", "1", "--help"], "CAPTURE: Captures", "--orderid"],
    [["sign", "PAYOUT_V4", "-h"], "PAYOUT_V4: ", "OAuth RSA-SHA256"],
    [["help", "sale"], "SALE: Charges", "--credit_card_number"],
    [["help", "verify", "callback"], "pay verify callback URL", "--webhook-id"]
  ])("explains %j", async (args, ...expected) => {
    const { code, err, out } = await pay(args)
    expect([code, err]).toEqual([0, ""])
    for (const text of expected) expect(out).toContain(text)
  })
})
