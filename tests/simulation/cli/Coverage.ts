/** Which transitions of orders have met which faults: a table, the cells that nothing can fill, and those that nothing has filled. */
import * as OrderTransitions from "../goals/OrderTransitions.ts"
import * as Steps from "../steps/Steps.ts"
import type { Transitions } from "../TransitionRecorder.ts"

/** By the transition, then by the fault: how often. */
export type Cells = Record<string, { count: number; faults: Record<string, number> }>

export const add = (cells: Cells, transitions: Transitions): void => {
  for (const [transition, { count, faults }] of Object.entries(transitions)) {
    const cell = cells[transition] ?? { count: 0, faults: {} }
    cells[transition] = cell
    cell.count += count
    for (const [fault, times] of Object.entries(faults)) cell.faults[fault] = (cell.faults[fault] ?? 0) + times
  }
}

/** A cell that cannot be filled, and why. */
interface Impossible {
  readonly transition: RegExp
  readonly fault: RegExp
  readonly because: string
}

const impossible: ReadonlyArray<Impossible> = [
  { transition: /./, fault: /^stub/, because: "it befalls the other gateway, whose orders are not these" }
]

export interface Coverage {
  /** Those that the gateway's tables allow, and any other that was seen. */
  readonly transitions: number
  readonly faults: number
  readonly filled: number
  readonly impossible: number
  /** By the transition: the faults that it has not met, though it could. */
  readonly empty: ReadonlyMap<string, ReadonlyArray<string>>
  /** `transition × fault` that are listed as impossible. */
  readonly contradicted: ReadonlyArray<string>
}

const faults = Steps.all.filter(({ isFault }) => isFault)

/** Faults that need a store in files. */
export const ofFiles: ReadonlySet<string> = new Set(
  faults.flatMap(({ group, name }) => (group === "files" ? [name] : []))
)

const transitionsOf = (cells: Cells): ReadonlyArray<string> =>
  [...new Set([...OrderTransitions.all, ...Object.keys(cells)])].sort()

const isExcused = (transition: string, fault: string): boolean =>
  impossible.some((cell) => cell.transition.test(transition) && cell.fault.test(fault))

export const of = (cells: Cells): Coverage => {
  const transitions = transitionsOf(cells)
  const empty = new Map<string, Array<string>>()
  let [filled, excused] = [0, 0]
  const contradicted: Array<string> = []
  for (const transition of transitions) {
    for (const { name } of faults) {
      const isFilled = (cells[transition]?.faults[name] ?? 0) > 0
      if (isFilled && isExcused(transition, name)) contradicted.push(`${transition} × ${name}`)
      if (isFilled) filled += 1
      else if (isExcused(transition, name)) excused += 1
      else empty.set(transition, [...(empty.get(transition) ?? []), name])
    }
  }
  return { transitions: transitions.length, faults: faults.length, filled, impossible: excused, empty, contradicted }
}

export const emptyCells = ({ empty }: Coverage): number =>
  [...empty.values()].reduce((sum, { length }) => sum + length, 0)

/** One line for each transition, with how often it was made and which faults it has not met; then what that comes to. */
export const lines = (cells: Cells): ReadonlyArray<string> => {
  const coverage = of(cells)
  const { contradicted, empty, faults: columns, filled, impossible: excused, transitions } = coverage
  return [
    ...transitionsOf(cells).map((transition) => {
      const missing = empty.get(transition) ?? []
      const count = (cells[transition]?.count ?? 0).toLocaleString("en").padStart(12)
      return `${count}  ${transition}${missing.length === 0 ? "" : `, without ${missing.join(", ")}`}`
    }),
    ...OrderTransitions.ruled.map(({ because, transition }) => `no such transition: ${transition.source}: ${because}`),
    ...impossible.map(
      ({ because, fault, transition }) => `impossible: ${transition.source} × ${fault.source}: ${because}`
    ),
    ...contradicted.map((cell) => `not impossible, for it is filled: ${cell}`),
    `${transitions} transitions × ${columns} faults: ${filled} cells filled, ${excused} impossible, ${emptyCells(coverage)} empty`
  ]
}
