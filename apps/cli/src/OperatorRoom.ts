/** How every command for operators runs: flags, the gateway's operator side, an exit code. */
import type { Command } from "./Command.ts"
import type { ExitCode } from "./ExitCode.ts"
import * as Flags from "./Flags.ts"
import * as OperatorGateway from "./OperatorGateway.ts"
import * as Output from "./Output.ts"
import { UsageError } from "./UsageError.ts"

export interface Work {
  readonly gateway: OperatorGateway.OperatorGateway
  readonly given: Flags.Given
  /** The word that says what to do; empty where the command has none. */
  readonly verb: string
  /** What follows it. */
  readonly operands: ReadonlyArray<string>
  readonly asJson: boolean
  readonly tell: (text: string, json: OperatorGateway.Json) => void
  /** To people who wait: on standard error, so that standard output stays the answer. */
  readonly progress: (text: string) => void
}

/** What a command can be told to do, each with the number of operands it takes. */
export type Verbs = Readonly<Record<string, number>>

export const running =
  (name: string, command: Command, verbs: Verbs, run: (work: Work) => Promise<ExitCode>) =>
  async (args: ReadonlyArray<string>): Promise<ExitCode> => {
    const given = Flags.parse(args, { flags: new Map(Object.entries(command.flags)) }, name)
    const bare = verbs[""] !== undefined
    const verb = bare ? "" : (given.operands[0] ?? "")
    const operands = bare ? given.operands : given.operands.slice(1)
    if (verbs[verb] !== operands.length) throw new UsageError(command.usage.replaceAll("\n       ", "\n"), name)
    const asJson = given.flags.has("json")
    return OperatorGateway.ending(asJson, async () =>
      run({
        gateway: await OperatorGateway.make(given),
        given,
        verb,
        operands,
        asJson,
        tell: (text, json) => Output.print({ text, json: { outcome: "answered", ...json } }, asJson),
        progress: (text) => {
          if (!asJson) process.stderr.write(`${Output.safe(text)}\n`)
        }
      })
    )
  }

/** Flags of these names as the query of a question. */
export const queryOf = ({ flags }: Flags.Given, names: ReadonlyArray<string>): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, flags.get(name)]))

/** A list, and how to go on. */
export const listed = (rows: string, next: unknown): string =>
  typeof next === "string" ? `${rows}\n\nMore: --after ${next}` : rows

/** Waits between two looks at work that goes on in the gateway. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookAgainMs).ref())

const lookAgainMs = 500
