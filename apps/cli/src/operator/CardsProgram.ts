/** `pay cards erase`: erases the card data that a flag names. */
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Operands from "./Operands.ts"
import * as OperatorOperations from "./OperatorOperations.ts"
import * as OperatorWork from "./OperatorWork.ts"

export const run = async ({
  client,
  given,
  operands,
  operation,
  print
}: OperatorWork.OperatorWork): Promise<ExitCode> => {
  const [meant, ...others] = OperatorOperations.ofCommand(operation.command).filter((each) =>
    Operands.flagsOf(each).some(({ flag }) => given.flags.has(flag))
  )
  if (meant === undefined || others.length > 0)
    throw new UsageError("Say whose card: --order ORDER, --card-ref ID or --subscription ID", "cards")
  const answer = await client.call(meant, await Operands.read(meant, given, operands, "cards"))
  print(OperatorWork.textOf(meant, answer), answer)
  return codes.ok
}
