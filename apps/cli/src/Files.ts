/** Files named by flags; `-` is standard input, where keys and card data are seen by nobody. */
import { readFileSync } from "node:fs"
import * as Io from "./Io.ts"
import { UsageError } from "./UsageError.ts"

/** Standard inputs that were read. */
const taken = new WeakSet<Io.Io["stdin"]>()

/** The text of a file. `what` names it in messages: the flag, unless it is told. */
export const read = async (flag: string, path: string, what = `--${flag}`): Promise<string> => {
  if (path === "-") return readStandardInput(flag)
  try {
    return readFileSync(path, "utf8")
  } catch {
    throw new UsageError(`${what} names a file that cannot be read`)
  }
}

/** Whether it may still be asked. */
export const isStandardInputFree = (): boolean => !taken.has(Io.stdin())

const readStandardInput = async (flag: string): Promise<string> => {
  if (taken.has(Io.stdin())) throw new UsageError(`--${flag}: standard input can be read only once`)
  taken.add(Io.stdin())
  const chunks: Array<Buffer> = []
  for await (const chunk of Io.stdin()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}
