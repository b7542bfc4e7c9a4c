/** Runs the program, in this process or in one of its own, and fails if it prints anything that must stay secret. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Clock } from "effect"
import { inject } from "vitest"
import { inProcess, unusedState } from "./InProcess.ts"

const root = join(import.meta.dirname, "../../..")
export const source = join(root, "apps/cli/src/main.ts")

/** The folder of the program as it is built, which all tests run unless they name another. */
export const built = (): string => inject("builtProgram")

const program = join(built(), "main.js")

/** Marked values that no output may contain. */
export const secrets = {
  controlKey: "CANARYKEY-A7DC-41B4-8FF9-37D986B43D20",
  cardNumber: "4012888888881881",
  cvv: "9473"
} as const

/** A merchant's settings. */
export const merchant = {
  PAY_LOGIN: "merchantlogin",
  PAY_CONTROL_KEY: secrets.controlKey,
  PAY_ENDPOINT_ID: "1111",
  PAY_BASE_URL: "https://gateway.example/paynet"
} as const

export interface RunResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export type Kill = (signal: NodeJS.Signals) => void

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Given a way to send a signal. */
  readonly onStart?: (kill: Kill) => void
  /** Told what has been printed so far. */
  readonly onOutput?: (out: string, kill: Kill) => void
  /** Receives what has been printed to standard error so far. */
  readonly onError?: (err: string, kill: Kill) => void
}

/** A process may run another program. */
interface Spawning extends Surroundings {
  readonly main?: string
}

/** Runs within the program's streams may be another part of it. */
export interface InProcess extends Surroundings {
  readonly clock?: Clock.Clock
  readonly running?: (args: ReadonlyArray<string>) => Promise<number>
  /** Whether standard output is a terminal. */
  readonly isTerminal?: boolean
}

/** Four digits in the middle of an order's number, or of a random signature, are no security code. */
const stands = (secret: string, text: string): boolean =>
  new RegExp(`(?:^|[^A-Za-z0-9+/]|%3D)${secret}(?![A-Za-z0-9+/])`).test(text)

const checked = (args: ReadonlyArray<string>, result: RunResult): RunResult => {
  const lines = Object.entries(secrets).flatMap(([name, secret]) =>
    stands(secret, result.out) || stands(secret, result.err) ? name : []
  )
  if (lines.length > 0) throw new Error(`pay ${args[0]} printed a secret: ${lines.join(", ")}`)
  return result
}

/** The built program in a process of its own, without any setting of the machine's own. */
export const spawned = (
  args: ReadonlyArray<string>,
  { env = {}, input, main = program, onError, onOutput, onStart }: Spawning = {}
) =>
  new Promise<RunResult>((resolve, reject) => {
    const { HOME, NODE_COMPILE_CACHE, PATH = "" } = process.env
    const child = spawn(process.execPath, [main, ...args], {
      env: {
        PATH,
        PAY_STATE: unusedState,
        ...(HOME && { HOME }),
        ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
        ...env
      }
    })
    const output = { out: "", err: "" }
    const kill: Kill = (signal) => child.kill(signal)
    onStart?.(kill)
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.out += text
      onOutput?.(output.out, kill)
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.err += text
      onError?.(output.err, kill)
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, ...output }))
    child.stdin.end(input)
  }).then((result) => checked(args, result))

/** The program in this process, without any setting of the machine's own. */
export const pay = async (args: ReadonlyArray<string>, surroundings: InProcess = {}) =>
  checked(args, await inProcess(args, surroundings))

/** Fields as flags. */
export const flags = (fields: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(fields).map(([name, value]) => `--${name}=${value}`)
