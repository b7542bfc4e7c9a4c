/** Whether each planted defect is found, by which check, and how soon. */
import type { Planted } from "../planted/Patch.ts"
import { planted } from "../planted/Planted.ts"
import * as Pool from "./Pool.ts"

/** A defect that is not found within so many steps is not found. */
const maxSteps = 10_000

const steps = 120

/** With some defects a run goes round in a circle. Others take seconds. */
const longestMs = 180_000
const endless = "the run does not end"

/** The first problem of the run; undefined: it has none. */
const problemOf = async (thread: Pool.Thread, task: Pool.Task): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(endless), longestMs)
  })
  const lived = thread.run(task).then(({ result }) => result.problems[0])
  const problem = await Promise.race([lived, late])
  clearTimeout(timer)
  return problem
}

interface Discovery {
  /** Steps of all runs up to that one. */
  readonly steps: number
  readonly problem: string
}

/** Looks for the defect from seed 1 on; undefined: not found. A run that fails without the defect too proves nothing. */
const find = async ({
  goal,
  maxConcurrent,
  frequentFault,
  patch,
  place = "memory"
}: Planted): Promise<Discovery | undefined> => {
  const given = {
    ...(goal === undefined ? {} : { goal }),
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(frequentFault === undefined ? {} : { frequentFault })
  }
  const [thread, whole] = [Pool.thread(patch), Pool.thread()]
  try {
    for (let seed = 1; seed * steps <= maxSteps; seed += 1) {
      const task = { seed, steps, ...(place === "drawn" ? {} : { plain: place }), ...given }
      const problem = await problemOf(thread, task)
      if (problem === undefined) continue
      if ((await problemOf(whole, task)) === undefined) return { steps: seed * steps, problem }
      if (problem === endless) return undefined
    }
    return undefined
  } finally {
    await thread.end()
    await whole.end()
  }
}

const row = ({ name, visible }: Planted, find: Discovery | undefined): string => {
  if (find !== undefined)
    return `found within ${String(find.steps).padStart(5)} steps  ${name}: ${find.problem.slice(0, 160)}`
  return visible.is ? `NOT FOUND                ${name}` : `not visible              ${name}`
}

/** Prints a line for each; whether each one that can be seen was found. */
export const all = async (part = ""): Promise<boolean> => {
  const wanted = planted.filter(({ name }) => name.includes(part))
  const queue = [...wanted]
  const missed: Array<string> = []
  let done = 0
  await Pool.eachThread(async () => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const result = await find(each)
      done += 1
      if (each.visible.is && result === undefined) missed.push(each.name)
      console.log(`${done} of ${wanted.length}: ${row(each, result)}`)
    }
  })
  console.log(
    `${wanted.length - missed.length} of ${wanted.length} as expected${missed.map((name) => `\nnot found: ${name}`).join("")}`
  )
  return missed.length === 0
}
