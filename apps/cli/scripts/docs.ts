/** Generates the files with the contract for the command line, and the pages of its manual. */
import { commands } from "../src/Commands.ts"
import { read } from "../src/Contract.ts"
import * as OperatorCommands from "../src/OperatorCommands.ts"
import { contractFacts } from "./ContractFacts.ts"
import { manual } from "./Manual.ts"
import { operatorFacts } from "./OperatorFacts.ts"

/** Contents by path from the root. */
export default async (): Promise<Record<string, string>> => {
  const written = contractFacts()
  const operators = operatorFacts()
  const all = {
    ...commands,
    ...Object.fromEntries(
      Object.entries(operators).map(([name, command]) => [name, OperatorCommands.read(name, command)])
    )
  }
  const facts = Object.entries(written).map(([command, operation]) => read(command, operation))
  return {
    "apps/cli/src/OperatorCommands.json": `${JSON.stringify(operators, null, 2)}\n`,
    "apps/cli/src/Contract.json": `${JSON.stringify(written, null, 2)}\n`,
    ...manual(all, facts)
  }
}
