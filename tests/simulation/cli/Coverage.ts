/** Which transitions of orders met which faults: the filled cells of the table, the impossible ones, and the empty ones. */
import * as OrderTransitions from "../goals/OrderTransitions.ts"
import * as Steps from "../steps/Steps.ts"
import type { TransitionCounts } from "../TransitionRecorder.ts"

/** The number of times that each transition met each fault. */
export type Cells = Record<string, { count: number; faults: Record<string, number> }>

export const add = (cells: Cells, transitions: TransitionCounts): void => {
  for (const [transition, { count, faults }] of Object.entries(transitions)) {
    const cell = cells[transition] ?? { count: 0, faults: {} }
    cells[transition] = cell
    cell.count += count
    for (const [fault, times] of Object.entries(faults)) cell.faults[fault] = (cell.faults[fault] ?? 0) + times
  }
}

/** Cells that cannot be filled, with the reason. */
interface Impossible {
  readonly transition: RegExp
  readonly fault: RegExp
  readonly because: string
}

const impossible: ReadonlyArray<Impossible> = [
  { transition: /./, fault: /^stub/, because: "it affects the stub gateway only, which has other orders" }
]

export interface Coverage {
  /** The transitions that the gateway's tables allow, and any others that runs made. */
  readonly transitions: number
  readonly faults: number
  readonly filled: number
  readonly impossible: number
  /** The faults that each transition has not met although it could. */
  readonly empty: ReadonlyMap<string, ReadonlyArray<string>>
  /** Filled cells, as `transition × fault`, that are listed as impossible. */
  readonly contradicted: ReadonlyArray<string>
}

const faults = Steps.all.filter(({ isFault }) => isFault)

/** Faults that need a store in files. */
export const fileFaults: ReadonlySet<string> = new Set(
  faults.flatMap(({ group, name }) => (group === "files" ? [name] : []))
)

const transitionsOf = (cells: Cells): ReadonlyArray<string> =>
  [...new Set([...OrderTransitions.all, ...Object.keys(cells)])].sort()

const isImpossible = (transition: string, fault: string): boolean =>
  impossible.some((cell) => cell.transition.test(transition) && cell.fault.test(fault))

export const of = (cells: Cells): Coverage => {
  const transitions = transitionsOf(cells)
  const empty = new Map<string, Array<string>>()
  let [filled, excused] = [0, 0]
  const contradicted: Array<string> = []
  for (const transition of transitions) {
    for (const { name } of faults) {
      const isFilled = (cells[transition]?.faults[name] ?? 0) > 0
      if (isFilled && isImpossible(transition, name)) contradicted.push(`${transition} × ${name}`)
      if (isFilled) filled += 1
      else if (isImpossible(transition, name)) excused += 1
      else empty.set(transition, [...(empty.get(transition) ?? []), name])
    }
  }
  return { transitions: transitions.length, faults: faults.length, filled, impossible: excused, empty, contradicted }
}

export const emptyCells = ({ empty }: Coverage): number =>
  [...empty.values()].reduce((sum, { length }) => sum + length, 0)

/** Returns a line for each transition, with its count and the faults that it has not met, and then the totals. */
export const lines = (cells: Cells): ReadonlyArray<string> => {
  const coverage = of(cells)
  const { contradicted, empty, faults: columns, filled, impossible: excused, transitions } = coverage
  return [
    ...transitionsOf(cells).map((transition) => {
      const missing = empty.get(transition) ?? []
      const count = (cells[transition]?.count ?? 0).toLocaleString("en").padStart(12)
      return `${count}  ${transition}${missing.length === 0 ? "" : `, without ${missing.join(", ")}`}`
    }),
    ...OrderTransitions.exclusions.map(
      ({ because, transition }) => `excluded transition: ${transition.source}: ${because}`
    ),
    ...impossible.map(
      ({ because, fault, transition }) => `impossible: ${transition.source} × ${fault.source}: ${because}`
    ),
    ...contradicted.map((cell) => `listed as impossible, but filled: ${cell}`),
    `${transitions} transitions × ${columns} faults: ${filled} cells filled, ${excused} impossible, ${emptyCells(coverage)} empty`
  ]
}
