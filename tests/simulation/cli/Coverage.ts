/** Which moves of orders have met which faults: a table, and the cells that nothing has filled. */
import * as Steps from "../steps/Steps.ts"
import type { Transitions } from "../Transitions.ts"
import type { Task } from "./Pool.ts"

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
  readonly moves: number
  readonly faults: number
  readonly filled: number
  readonly impossible: number
  /** `move × fault`, in order. */
  readonly empty: ReadonlyArray<string>
}

const faults = Steps.all.filter(({ isFault }) => isFault).map(({ name }) => name)

export const of = (cells: Cells): Coverage => {
  const moves = Object.keys(cells).sort()
  let [filled, excused] = [0, 0]
  const empty: Array<string> = []
  for (const move of moves) {
    for (const fault of faults) {
      if ((cells[move]?.faults[fault] ?? 0) > 0) filled += 1
      else if (impossible.some((cell) => cell.move.test(move) && cell.fault.test(fault))) excused += 1
      else empty.push(`${move} × ${fault}`)
    }
  }
  return { moves: moves.length, faults: faults.length, filled, impossible: excused, empty }
}

/** Lives for each fault in turn, in which it is frequent; those of files on files. */
export const tasks = (livesEach: number, steps: number): ReadonlyArray<Task> =>
  Steps.all
    .filter(({ isFault }) => isFault)
    .flatMap(({ group, name }) =>
      Array.from({ length: livesEach }, (_, index) => ({
        ...{ seed: 1 + index, steps, mostOf: name },
        plain: group === "files" ? ("files" as const) : ("memory" as const)
      }))
    )

/** One line for each move, with how often it was made and which faults it has not met; then what that comes to. */
export const lines = (cells: Cells): ReadonlyArray<string> => {
  const { empty, faults: columns, filled, impossible: excused, moves } = of(cells)
  return [
    ...Object.entries(cells)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([move, { count, faults: met }]) => {
        const missing = faults.filter((fault) => met[fault] === undefined)
        return `${count.toLocaleString("en").padStart(12)}  ${move}${missing.length === 0 ? "" : `, without ${missing.join(", ")}`}`
      }),
    ...impossible.map(({ because, fault, move }) => `impossible: ${move.source} × ${fault.source}: ${because}`),
    `${moves} moves × ${columns} faults: ${filled} cells filled, ${excused} impossible, ${empty.length} empty`
  ]
}
