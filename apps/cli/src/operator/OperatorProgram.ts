/** The program of every command of the operator contract: reads parameters from flags, makes one call, prints a table or JSON. */

import * as Flags from "../command/Flags.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Io from "../terminal/Io.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Operands from "./Operands.ts"
import * as OperatorClient from "./OperatorClient.ts"
import { commands } from "./OperatorCommands.ts"
import * as OperatorOperations from "./OperatorOperations.ts"
import * as OperatorWork from "./OperatorWork.ts"

type Program = (work: OperatorWork.OperatorWork) => Promise<ExitCode>

/** Commands that make more than one call, or read a file. */
const programs: Readonly<Record<string, () => Promise<{ readonly run: Program }>>> = {
  "bookings import": () => import("./BookingsProgram.ts"),
  "cards erase": () => import("./CardsProgram.ts"),
  "keys add": () => import("./KeysProgram.ts"),
  "keys rotate": () => import("./KeysProgram.ts"),
  "keys rotation": () => import("./KeysRotationProgram.ts"),
  "callbacks resend": () => import("./PagesProgram.ts"),
  "orders inquire": () => import("./PagesProgram.ts"),
  "logs tail": () => import("./LogsTailProgram.ts"),
  reconciliation: () => import("./ReconciliationProgram.ts"),
  "settlement export": () => import("./SettlementProgram.ts")
}

const call: Program = async ({ client, given, operands, operation, print }) => {
  const answer = await client.call(operation, await Operands.read(operation, given, operands, operation.command))
  print(OperatorWork.textOf(operation, answer), OperatorWork.jsonOf(operation, answer))
  return codes.ok
}

/** Refuses flags of the command that the operation does not have, because they would have no effect. */
const refuseOthers = (name: string, given: Flags.Given, operations: ReadonlyArray<OperatorOperations.Operation>) => {
  const all = OperatorOperations.ofCommand(name)
  const takersOf = (flag: string) =>
    all.filter((operation) => Operands.flagsOf(operation).some((each) => each.flag === flag))
  for (const flag of given.flags.keys()) {
    const takers = takersOf(flag)
    if (takers.length > 0 && !takers.some((operation) => operations.includes(operation)))
      throw new UsageError(
        `--${flag} is for ${[...new Set(takers.map(({ command }) => command.split(" ").at(-1)))].join(", ")}`,
        name
      )
  }
}

export const running =
  (name: keyof typeof commands) =>
  async (args: ReadonlyArray<string>): Promise<ExitCode> => {
    const command = commands[name]
    const given = Flags.ofCommand(args, command, name)
    const all = OperatorOperations.ofCommand(name)
    const isBare = all.some((operation) => operation.command === name)
    const words = isBare ? name : `${name} ${given.operands[0] ?? ""}`
    const operands = isBare ? given.operands : given.operands.slice(1)
    const operations = all.filter((operation) => operation.command === words)
    const [operation] = operations
    if (operation === undefined || operation.operands.length !== operands.length)
      throw new UsageError(
        `Write the command in one of these forms:\n  ${command.usage.replaceAll(/\n +/g, "\n  ")}`,
        name
      )
    refuseOthers(name, given, operations)
    const { run } = (await programs[words]?.()) ?? { run: call }
    const asJson = given.flags.has("json")
    return OperatorClient.withExitCode(asJson, async () =>
      run({
        client: await OperatorClient.make(given),
        operation,
        given,
        operands,
        print: (text, json, paint) => Output.print({ text, json: { outcome: "answered", ...json } }, asJson, paint),
        progress: (text) => {
          if (!asJson) Io.stderr().write(`${Output.safe(text)}\n`)
        }
      })
    )
  }
