/** Compares this process with the live ones on the store: their merchants, and their keys. */
import { Effect, Metric } from "effect"
import type { Process } from "./Process.ts"

/** The facts that a process publishes to the other processes on the store. */
export interface ProcessFacts {
  /** A hash of the merchants' description. */
  readonly merchants: () => string
  /** A summary of the key ring, without spaces. If it is left out, key rings are not compared. */
  readonly keys?: string | undefined
  /** Returns the keys with which a process with the ring `other` works now, and which `own` lacks. */
  readonly lacking: (own: string, other: string) => ReadonlyArray<string>
}

const differingProcesses = Metric.gauge("pay_processes_differing", {
  description:
    "Live processes on the store that work with another description of the merchants or another key ring than this one"
})
const keysOf = ({ merchants }: Process): string | undefined => merchants.split(" ")[1]

/** Names a process in a message, by its number if it has no name. */
const nameOf = ({ name, number }: Process): string => (name.trim() === "" ? `process ${number}` : name)

const howToMend = "Give all processes the same key ring: a new key to each of them first, then make it the current one"

export const make = ({ keys, lacking, merchants }: ProcessFacts, token: string) => {
  let differed = ""
  let warned = ""
  let barred: string | undefined

  /** Returns what the row of this process says about it. */
  const published = () => (keys === undefined ? merchants() : `${merchants()} ${keys}`)

  /**
   * Why this process may not work beside the live ones; `undefined` if it may. A process without a number also waits if one of
   * them lacks a key of its own ring.
   */
  const problemOf = (rows: ReadonlyArray<Process>, hasNumber: boolean): string | undefined => {
    for (const row of rows) {
      const otherKeys = keysOf(row)
      if (keys === undefined || otherKeys === undefined || row.token === token) continue
      const [here] = lacking(keys, otherKeys)
      if (here !== undefined) return `This process lacks the ${here} with which ${nameOf(row)} works`
      const [there] = hasNumber ? [] : lacking(otherKeys, keys)
      if (there !== undefined) return `${nameOf(row)} lacks the ${there} with which this process would work`
    }
    return undefined
  }
  /** Logs a new problem. */
  const logged = (problem: string | undefined) => {
    const before = barred
    barred = problem
    return problem === undefined || problem === before
      ? Effect.void
      : Effect.logError(`${problem}. It answers 503 and carries out no jobs until that is mended. ${howToMend}`)
  }

  /**
   * Warns of processes that work with other merchants or other keys. A reload takes a moment to reach every process, so a warning
   * needs the same difference in two renewals.
   */
  const compare = Effect.fnUntraced(function* (rows: ReadonlyArray<Process>) {
    const ownFacts = published()
    const differing = rows.filter((row) => row.token !== token && row.merchants !== ownFacts).map(({ name }) => name)
    yield* Metric.update(differingProcesses, differing.length)
    const text = differing.join(", ")
    if (text !== "" && text === differed && text !== warned)
      yield* Effect.logWarning(
        `These processes work with another description of the merchants or another key ring than this one. Give all the same files: ${text}`
      )
    if (text === differed) warned = text
    differed = text
  })

  return { compare, logged, problemOf, published }
}
