/** Reads files that flags name. `-` is standard input, which shows keys and card data to no other user. */
import { readFileSync } from "node:fs"
import * as Io from "./Io.ts"
import { UsageError } from "./UsageError.ts"

/** The standard inputs that were read already. Each can be read once. */
const usedInputs = new WeakSet<Io.Io["stdin"]>()

/** Returns the text of bytes in UTF-8 or, as Windows PowerShell writes files, in UTF-16. A byte order mark is left out. */
const textOf = (bytes: Buffer): string => {
  const begin = bytes.subarray(0, 2).toString("hex")
  const encoding = begin === "fffe" ? "utf-16le" : begin === "feff" ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}

/** Reads the text of a file. `what` names the file in messages; the default is the flag. */
export const read = async (flag: string, path: string, what = `--${flag}`): Promise<string> => {
  if (path === "-") return readStandardInput(flag)
  try {
    return textOf(readFileSync(path))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${what} names a file that cannot be read: ${cause}`)
  }
}

/** Returns whether standard input was not read yet, so that it can receive the user's answers. */
export const isStandardInputFree = (): boolean => !usedInputs.has(Io.stdin())

const readStandardInput = async (flag: string): Promise<string> => {
  if (usedInputs.has(Io.stdin())) throw new UsageError(`--${flag}: standard input can be read only once`)
  usedInputs.add(Io.stdin())
  const chunks: Array<Buffer> = []
  for await (const chunk of Io.stdin()) chunks.push(Buffer.from(chunk))
  return textOf(Buffer.concat(chunks))
}
