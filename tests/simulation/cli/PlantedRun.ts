/** Runs simulations with each planted defect, and reports which check finds it and after how many steps. */
import type { Defect } from "../../planted/Defect.ts"
import { defects } from "../../planted/Defects.ts"
import * as Pool from "./Pool.ts"

/** The search for a defect ends after this number of steps. */
const maxSteps = 10_000

const steps = 120

/** Some defects make a run endless. Ordinary runs take seconds. */
const longestMs = 180_000
const endless = "the run does not end"

/** Returns the first problem of the run; undefined if there is none. */
const problemOf = async (thread: Pool.Thread, task: Pool.Task): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(endless), longestMs)
  })
  const completed = thread.run(task).then(({ result }) => result.problems[0])
  const problem = await Promise.race([completed, late])
  clearTimeout(timer)
  return problem
}

interface Discovery {
  /** The number of steps of all runs up to the one that failed. */
  readonly steps: number
  readonly problem: string
}

/** Searches for the defect from seed 1 on; undefined if it is not found. A run that fails without the defect too does not count. */
const find = async ({
  goal,
  maxConcurrent,
  frequentFault,
  patch,
  restores,
  ways,
  storage = "memory"
}: Defect): Promise<Discovery | undefined> => {
  const options = {
    ...(goal === undefined ? {} : { goal }),
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(restores === undefined ? {} : { restores }),
    ...(ways === undefined ? {} : { ways }),
    ...(frequentFault === undefined ? {} : { frequentFault })
  }
  const [thread, intact] = [Pool.thread(patch), Pool.thread()]
  try {
    for (let seed = 1; seed * steps <= maxSteps; seed += 1) {
      const task = { seed, steps, ...(storage === "drawn" ? {} : { plain: storage }), ...options }
      const problem = await problemOf(thread, task)
      if (problem === undefined) continue
      if ((await problemOf(intact, task)) === undefined) return { steps: seed * steps, problem }
      if (problem === endless) return undefined
    }
    return undefined
  } finally {
    await thread.end()
    await intact.end()
  }
}

const row = ({ inSimulation, name }: Defect, discovery: Discovery | undefined): string => {
  if (discovery !== undefined)
    return `found within ${String(discovery.steps).padStart(5)} steps  ${name}: ${discovery.problem.slice(0, 160)}`
  return inSimulation.is ? `NOT FOUND                ${name}` : `not visible              ${name}`
}

/** Prints a line for each defect. Returns whether every visible defect was found. */
export const all = async (part = ""): Promise<boolean> => {
  const selected = defects.filter(({ name }) => name.includes(part))
  const queue = [...selected]
  const missed: Array<string> = []
  let done = 0
  await Pool.eachThread(async () => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const result = await find(each)
      done += 1
      if (each.inSimulation.is && result === undefined) missed.push(each.name)
      console.log(`${done} of ${selected.length}: ${row(each, result)}`)
    }
  })
  console.log(
    `${selected.length - missed.length} of ${selected.length} as expected${missed.map((name) => `\nnot found: ${name}`).join("")}`
  )
  return missed.length === 0
}
