/** The flows that an engine of this process runs: the program of each, by its merchant. */
import type { Program } from "./DurableFlow.ts"

export interface Programs {
  /** Adds the program of a flow. Returns whether it is the first of this name. */
  readonly add: (flow: string, merchant: string, program: Program) => boolean
  /** Returns the program. Throws if the flow has no `layer` with the client of this merchant. */
  readonly of: (flow: string, merchant: string) => Program
  /** Returns the reason that no execution of the flow can run here, or `undefined` if it has a program. */
  readonly missing: (flow: string) => string | undefined
  readonly names: () => ReadonlyArray<string>
}

export const make = (): Programs => {
  const flows = new Map<string, Map<string, Program>>()
  return {
    add: (flow, merchant, program) => {
      const merchants = flows.get(flow) ?? new Map<string, Program>()
      const isFirst = !flows.has(flow)
      flows.set(flow, merchants.set(merchant, program))
      return isFirst
    },
    of: (flow, merchant) => {
      const program = flows.get(flow)?.get(merchant)
      if (program !== undefined) return program
      const client = merchant === "" ? "" : ` with the client of ${merchant}`
      throw new Error(`${absent(flow)}${client}`)
    },
    missing: (flow) => (flows.has(flow) ? undefined : absent(flow)),
    names: () => [...flows.keys()]
  }
}

const absent = (flow: string): string => `${flow} is not among the flows of this engine: add ${flow}.layer`
