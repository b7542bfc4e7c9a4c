/** `pay settlement export`: prints the books of a day as CSV, page by page, to standard output. */
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Io from "../terminal/Io.ts"
import * as Operands from "./Operands.ts"
import type { OperatorWork } from "./OperatorWork.ts"

const linesPerPage = "1000"

const write = (text: string): Promise<void> => new Promise((resolve) => Io.stdout().write(text, () => resolve()))

export const run = async ({ client, given, operands, operation }: OperatorWork): Promise<ExitCode> => {
  const input = { limit: linesPerPage, ...(await Operands.read(operation, given, operands, "settlement")) }
  let page = await client.csv(operation, input)
  await write(page.text)
  while (page.next !== undefined) {
    page = await client.csv(operation, { ...input, after: page.next })
    await write(page.text)
  }
  return codes.ok
}
