/** `pay orders inquire` and `pay callbacks resend`: one order or callback, or page after page with progress. */
import { operations } from "@pay/gateway/OperatorApi"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Operands from "./Operands.ts"
import * as OperatorWork from "./OperatorWork.ts"

/** The operations that begin work for one page, in the answer's `begun`. */
const ofPages: ReadonlyMap<string, string> = new Map([
  [operations.inquireUnknown.name, "bank and rail are asked about"],
  [operations.pushCallbacks.name, "callbacks are sent"]
])

export const run = async ({
  client,
  given,
  operands,
  operation,
  print,
  progress
}: OperatorWork.OperatorWork): Promise<ExitCode> => {
  const input = await Operands.read(operation, given, operands, operation.command)
  const what = ofPages.get(operation.name)
  if (what === undefined) {
    const answer = await client.call(operation, input)
    print(OperatorWork.textOf(operation, answer), OperatorWork.jsonOf(operation, answer))
    return codes.ok
  }
  let [begun, left] = [0, 0]
  for (let after = input.after; ; ) {
    const page = await client.call(operation, { ...input, ...(after === undefined ? {} : { after }) })
    begun += Number(page.begun)
    left += Number(page.left)
    if (typeof page.next !== "string") break
    progress(`${begun} so far`)
    after = page.next
  }
  print(`${what}: ${begun}; left as they are: ${left}`, { begun, left })
  return codes.ok
}
