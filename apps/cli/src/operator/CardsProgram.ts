/** `pay cards erase`: erases the card data that a flag names, or everything of a customer, page after page with progress. */
import { operations } from "@pay/gateway/OperatorApi"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Operands from "./Operands.ts"
import type { Json } from "./OperatorClient.ts"
import * as OperatorOperations from "./OperatorOperations.ts"
import * as OperatorWork from "./OperatorWork.ts"
import * as Rows from "./Rows.ts"

/** Erases everything of a customer. Ends with 1 if something is left. */
const eraseCustomer = async (
  { client, print, progress }: OperatorWork.OperatorWork,
  operation: OperatorOperations.Operation,
  input: Json
): Promise<ExitCode> => {
  const kept: Array<Json> = []
  let erased = 0
  for (let after = input.after; ; ) {
    const page = await client.call(operation, { ...input, ...(after === undefined ? {} : { after }) })
    erased += Number(page.erased)
    kept.push(...Rows.rowsOf(page.kept))
    if (typeof page.next !== "string") break
    progress(`${erased} erased so far`)
    after = page.next
  }
  const text = `Orders that are erased: ${erased}; that are left: ${kept.length}`
  print(kept.length === 0 ? text : `${text}\n\n${Rows.table(kept, ["order", "reason"])}`, { erased, kept })
  return kept.length === 0 ? codes.ok : codes.refused
}

export const run = async (work: OperatorWork.OperatorWork): Promise<ExitCode> => {
  const { client, given, operands, operation, print } = work
  const [meant, ...others] = OperatorOperations.ofCommand(operation.command).filter((each) =>
    Operands.flagsOf(each).some(({ flag }) => given.flags.has(flag))
  )
  if (meant === undefined || others.length > 0)
    throw new UsageError("Say whose card: --order ORDER, --card-ref ID, --subscription ID or --email ADDRESS", "cards")
  const input = await Operands.read(meant, given, operands, "cards")
  if (meant.name === operations.eraseCustomer.name) return eraseCustomer(work, meant, input)
  const answer = await client.call(meant, input)
  print(OperatorWork.textOf(meant, answer), answer)
  return codes.ok
}
