/** Runs snippets as their readers do: a file, started by the program of its language. */
import { spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { facts, type Language, type VectorLanguage } from "../src/snippets/Language.ts"
import type { Variables } from "./Prerequisites.ts"
import type { TestSandbox } from "./TestSandbox.ts"

export interface Run {
  readonly code: number | null
  readonly output: string
}

/** A folder inside of this package, so that `@pay/client` resolves. It is removed when `close` is called. */
export const folder = () => {
  const path = join(import.meta.dirname, `../dist/snippets-${process.pid}`)
  mkdirSync(path, { recursive: true })
  return { path, close: () => rmSync(path, { recursive: true, force: true }) }
}

/** Writes a TypeScript file that others import. */
export const write = (path: string, name: string, text: string): void => writeFileSync(join(path, `${name}.ts`), text)

export const run = async (
  path: string,
  name: string,
  language: Language | VectorLanguage,
  text: string,
  { args = [], variables = {} }: { readonly args?: ReadonlyArray<string>; readonly variables?: Variables }
): Promise<Run> => {
  const { command, extension } = facts[language]
  const file = join(path, `${name}.${extension}`)
  writeFileSync(file, text)
  const [program, ...before] = command
  const child = spawn(program, [...before, file, ...args], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", resolve)
  })
  return { code, output }
}

/** The address and the key of the sandbox, as every snippet reads them. */
export const variablesOf = ({ baseUrl, privateKeyFile }: TestSandbox): Variables => ({
  PAY_BASE_URL: baseUrl,
  PAY_PRIVATE_KEY_FILE: privateKeyFile
})
