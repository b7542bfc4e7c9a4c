/** Files named by flags; `-` is standard input, where keys and card data are seen by nobody. */
import { readFileSync } from "node:fs"
import { UsageError } from "./UsageError.ts"

const taken = { standardInput: false }

/** The text of a file. */
export const read = async (flag: string, path: string): Promise<string> => {
  if (path === "-") return readStandardInput(flag)
  try {
    return readFileSync(path, "utf8")
  } catch {
    throw new UsageError(`--${flag} names a file that cannot be read`)
  }
}

/** Whether it may still be asked. */
export const isStandardInputFree = (): boolean => !taken.standardInput

const readStandardInput = async (flag: string): Promise<string> => {
  if (taken.standardInput) throw new UsageError(`--${flag}: standard input can be read only once`)
  taken.standardInput = true
  const chunks: Array<Buffer> = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}
