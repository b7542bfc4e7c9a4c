/** Which moves of orders have met which faults: a table, the cells that nothing can fill, and those that nothing has filled. */
import * as Moves from "../aim/Moves.ts"
import * as Steps from "../steps/Steps.ts"
import type { Transitions } from "../Transitions.ts"

/** By the move, then by the fault: how often. */
export type Cells = Record<string, { count: number; faults: Record<string, number> }>

export const add = (cells: Cells, transitions: Transitions): void => {
  for (const [move, { count, faults }] of Object.entries(transitions)) {
    const cell = cells[move] ?? { count: 0, faults: {} }
    cells[move] = cell
    cell.count += count
    for (const [fault, times] of Object.entries(faults)) cell.faults[fault] = (cell.faults[fault] ?? 0) + times
  }
}

/** A cell that cannot be filled, and why. */
interface Impossible {
  readonly move: RegExp
  readonly fault: RegExp
  readonly because: string
}

const impossible: ReadonlyArray<Impossible> = [
  { move: /./, fault: /^stub/, because: "it befalls the other gateway, whose orders are not these" }
]

export interface Coverage {
  /** Those that the gateway's tables allow, and any other that was seen. */
  readonly moves: number
  readonly faults: number
  readonly filled: number
  readonly impossible: number
  /** By the move: the faults that it has not met, though it could. */
  readonly empty: ReadonlyMap<string, ReadonlyArray<string>>
  /** `move × fault` that are listed as impossible. */
  readonly contradicted: ReadonlyArray<string>
}

const faults = Steps.all.filter(({ isFault }) => isFault)

/** Faults that need a store in files. */
export const ofFiles: ReadonlySet<string> = new Set(
  faults.flatMap(({ group, name }) => (group === "files" ? [name] : []))
)

const movesOf = (cells: Cells): ReadonlyArray<string> => [...new Set([...Moves.all, ...Object.keys(cells)])].sort()

const isExcused = (move: string, fault: string): boolean =>
  impossible.some((cell) => cell.move.test(move) && cell.fault.test(fault))

export const of = (cells: Cells): Coverage => {
  const moves = movesOf(cells)
  const empty = new Map<string, Array<string>>()
  let [filled, excused] = [0, 0]
  const contradicted: Array<string> = []
  for (const move of moves) {
    for (const { name } of faults) {
      const isFilled = (cells[move]?.faults[name] ?? 0) > 0
      if (isFilled && isExcused(move, name)) contradicted.push(`${move} × ${name}`)
      if (isFilled) filled += 1
      else if (isExcused(move, name)) excused += 1
      else empty.set(move, [...(empty.get(move) ?? []), name])
    }
  }
  return { moves: moves.length, faults: faults.length, filled, impossible: excused, empty, contradicted }
}

export const emptyCells = ({ empty }: Coverage): number =>
  [...empty.values()].reduce((sum, { length }) => sum + length, 0)

/** One line for each move, with how often it was made and which faults it has not met; then what that comes to. */
export const lines = (cells: Cells): ReadonlyArray<string> => {
  const coverage = of(cells)
  const { contradicted, empty, faults: columns, filled, impossible: excused, moves } = coverage
  return [
    ...movesOf(cells).map((move) => {
      const missing = empty.get(move) ?? []
      const count = (cells[move]?.count ?? 0).toLocaleString("en").padStart(12)
      return `${count}  ${move}${missing.length === 0 ? "" : `, without ${missing.join(", ")}`}`
    }),
    ...Moves.ruled.map(({ because, move }) => `no such move: ${move.source}: ${because}`),
    ...impossible.map(({ because, fault, move }) => `impossible: ${move.source} × ${fault.source}: ${because}`),
    ...contradicted.map((cell) => `not impossible, for it is filled: ${cell}`),
    `${moves} moves × ${columns} faults: ${filled} cells filled, ${excused} impossible, ${emptyCells(coverage)} empty`
  ]
}
