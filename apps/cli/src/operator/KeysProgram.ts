/** `pay keys add` and `pay keys rotate`: reads an RSA key from a file, and prints a new control key once. */
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Operands from "./Operands.ts"
import type { OperatorWork } from "./OperatorWork.ts"
import * as Rows from "./Rows.ts"

export const run = async ({ client, given, operands, operation, print }: OperatorWork): Promise<ExitCode> => {
  const input = await Operands.read(operation, given, operands, "keys")
  if ((input.kind === "rsa") !== (input.publicKey !== undefined))
    throw new UsageError(
      "--public-key-file is for --kind rsa, and needed there: the gateway makes control keys",
      "keys"
    )
  const { secret, ...key } = await client.call(operation, input)
  const displayed = typeof secret === "string" ? `\n\nThe key, shown only now:\n${secret}` : ""
  print(`${Rows.card(key)}${displayed}`, { ...key, ...(secret === undefined ? {} : { secret }) })
  return codes.ok
}
