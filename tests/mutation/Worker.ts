/**
 * The process of vitest that runs the test files of a place one after another: each once without a mutant, to see which mutants its
 * tests reach; then, for each mutant, the tests that reach it until one fails. Modules stay loaded, so that a mutant takes no longer
 * than its tests.
 */
import { relative } from "node:path"
import type { RunnerTask, RunnerTestFile, RuntimeRPC } from "vitest"
import { init, runBaseTests, setupEnvironment } from "vitest/worker"
import { root } from "../../scripts/Workspace.ts"
import { type Plan, readPlan, report } from "./Plan.ts"

type State = Parameters<typeof runBaseTests>[1]
type Traces = Parameters<typeof runBaseTests>[2]

/** The maximum number of kills that are verified together. */
const maxUnverified = 10
/** The number of earlier killers that run alone, before all tests that reach a mutant. */
const maxKillers = 3

const none = -1
let activeMutant = none
let onReached: ((mutant: number) => void) | undefined

Object.assign(globalThis, {
  __mutant: (mutant: number): boolean => {
    onReached?.(mutant)
    return mutant === activeMutant
  }
})

/** A run of one test file as the runner reports it. */
interface Run {
  readonly failed: Set<string>
  files: ReadonlyArray<RunnerTestFile>
  isLoading: boolean
}

const testsIn = (tasks: ReadonlyArray<RunnerTask>): ReadonlyArray<RunnerTask> =>
  tasks.flatMap((task) => (task.type === "suite" ? testsIn(task.tasks) : [task]))

const titleOf = (task: RunnerTask): string =>
  task.suite === undefined || task.suite === task.file ? task.name : `${titleOf(task.suite)} > ${task.name}`

const listener = (run: Run): Partial<RuntimeRPC> => ({
  onQueued: async () => undefined,
  onCollected: async (files) => {
    run.isLoading = false
    run.files = files
    for (const file of files) if (file.result?.state === "fail") run.failed.add(file.id)
  },
  onTaskUpdate: async (packs) => {
    for (const [id, result] of packs) if (result?.state === "fail") run.failed.add(id)
  },
  getCountOfFailedTests: () => 0,
  onCancel: async () => undefined,
  onUnhandledError: async () => undefined,
  onUserConsoleLog: async () => undefined,
  onTestModuleDependencies: async () => undefined,
  snapshotSaved: async () => undefined
})

interface Options {
  /** The ids of the tests. Default: all tests of the file. */
  readonly tests?: ReadonlyArray<string> | undefined
  /** Whether to continue after a failure. */
  readonly isWhole?: boolean
  readonly onRun?: (run: Run) => void
}

const runner = (state: State, traces: Traces) => async (file: string, options: Options) => {
  const run: Run = { failed: new Set(), files: [], isLoading: true }
  options.onRun?.(run)
  const listening = listener(run)
  const rpc = new Proxy(state.rpc, {
    get: (target, name) => Reflect.get(Object.hasOwn(listening, name) ? listening : target, name)
  })
  const config = { ...state.config, bail: options.isWhole === true ? 0 : 1 }
  const files = state.ctx.files
    .filter(({ filepath }) => relative(root, filepath) === file)
    .map((specification) => ({
      ...specification,
      testIds: options.tests === undefined ? undefined : [...options.tests]
    }))
  await runBaseTests("run", { ...state, ctx: { ...state.ctx, config, files, rpc }, config, rpc }, traces)
  return run
}

type RunFile = ReturnType<typeof runner>

interface Test {
  readonly name: string
  readonly usuallyMs: number
}

/** The result of a run of a test file without a mutant. */
interface Scan {
  readonly id: string
  readonly tests: ReadonlyMap<string, Test>
  /** The ids of the tests that reach each mutant; the id of the file if its shared setup reaches it. */
  readonly reachedBy: ReadonlyMap<number, ReadonlySet<string>>
}

/** Mutants that are reached while modules load. The modules are loaded again for each of them. */
const atLoad = new Set<number>()

const scan = async (runFile: RunFile, path: string): Promise<Scan & { readonly run: Run }> => {
  const reachedBy = new Map<number, Set<string>>()
  let running: Run | undefined
  onReached = (mutant) => {
    const task: RunnerTask | undefined = Reflect.get(globalThis, "__vitest_worker__")?.current
    if (running === undefined || running.isLoading || task === undefined) return atLoad.add(mutant)
    const id = task.type === "suite" ? task.file.id : task.id
    return reachedBy.set(mutant, (reachedBy.get(mutant) ?? new Set()).add(id))
  }
  const run = await runFile(path, {
    isWhole: true,
    onRun: (begun) => {
      running = begun
    }
  })
  onReached = undefined
  const tests = run.files
    .flatMap(({ tasks }) => testsIn(tasks))
    .map((test) => [test.id, { name: titleOf(test), usuallyMs: test.result?.duration ?? 0 }] as const)
  return { id: run.files[0]?.id ?? "", tests: new Map(tests), reachedBy, run }
}

/** Loads the modules of this repository again. Other modules stay loaded. */
const reload = ({ evaluatedModules }: State) => {
  for (const [id, module] of evaluatedModules.idToModuleMap) {
    if (id.includes("/node_modules/") || !id.startsWith(root)) continue
    module.promise = undefined
    module.exports = undefined
    module.evaluated = false
    module.importers.clear()
  }
}

interface Kill {
  readonly mutant: number
  /** The id of the test that failed, or of its file. */
  readonly id: string
}

const runMutants = async (state: State, traces: Traces) => {
  const plan = readPlan(process.env.MUTATION_PLAN ?? "")
  const runFile = runner(state, traces)
  const killed = new Set<number>()
  report(plan.eventsFile, { tag: "started", pid: process.pid })
  for (const { file, mutants } of plan.tests) {
    const open = mutants.filter((mutant) => !killed.has(mutant))
    if (!(await runAgainst(plan, state, runFile, file, open, killed))) return
  }
}

/** Adds the mutants that the tests of one file kill to `killed`. Returns false if the process cannot be used any more. */
const runAgainst = async (
  plan: Plan,
  state: State,
  runFile: RunFile,
  file: string,
  candidates: ReadonlyArray<number>,
  killed: Set<number>
): Promise<boolean> => {
  report(plan.eventsFile, { tag: "scanning", file })
  const startedMs = performance.now()
  const { id: fileId, reachedBy, run, tests } = await scan(runFile, file)
  const nameOf = (id: string): string => [file, ...[tests.get(id)?.name ?? []].flat()].join(" > ")
  const reached = candidates.filter((mutant) => reachedBy.has(mutant) || atLoad.has(mutant))
  for (const id of run.failed) {
    const errors = run.files.flatMap(({ result, tasks }) => [result, ...testsIn(tasks).map((test) => test.result)])
    const reason = errors.flatMap((result) => result?.errors?.map(({ message }) => message) ?? []).join("; ")
    report(plan.eventsFile, { tag: "broken", test: nameOf(id), reason })
  }
  if (run.failed.size > 0) return false
  report(plan.eventsFile, { tag: "scanned", file, tookMs: performance.now() - startedMs, reached })

  /** Tests that have killed a mutant, the latest first. */
  let killers: ReadonlyArray<string> = []
  let unverified: ReadonlyArray<Kill> = []

  /** A test that also fails without a mutant has killed nothing: an earlier test has left state behind. */
  const verify = async (): Promise<boolean> => {
    for (const id of new Set(unverified.map((kill) => kill.id))) {
      const { failed } = await runFile(file, { tests: id === fileId ? undefined : [id] })
      if (failed.size === 0) continue
      report(plan.eventsFile, { tag: "unreliable", test: nameOf(id) })
      return false
    }
    for (const { id, mutant } of unverified) {
      report(plan.eventsFile, { tag: "killed", mutant, by: nameOf(id) })
      killed.add(mutant)
    }
    unverified = []
    return true
  }

  for (const mutant of reached) {
    const isAtLoad = atLoad.has(mutant)
    const ids = reachedBy.get(mutant) ?? new Set()
    const all = isAtLoad || ids.has(fileId) ? undefined : [...ids]
    const first = isAtLoad ? [] : killers.filter((id) => ids.has(id)).slice(0, maxKillers)
    let isKilled = false
    if (isAtLoad) reload(state)
    for (const turn of [...first.map((id) => [id]), all]) {
      const usuallyMs = (turn ?? [...tests.keys()]).reduce((sum, id) => sum + (tests.get(id)?.usuallyMs ?? 0), 0)
      report(plan.eventsFile, { tag: "running", mutant, usuallyMs })
      activeMutant = mutant
      const { failed } = await runFile(file, { tests: turn })
      activeMutant = none
      const killer = [...failed].find((id) => !plan.unreliable.includes(nameOf(id)))
      if (killer === undefined) continue
      // A failed group setup cannot be run again as a test, so the whole file is.
      const id = tests.has(killer) ? killer : fileId
      unverified = [...unverified, { mutant, id }]
      killers = [id, ...killers.filter((other) => other !== id)]
      isKilled = true
      break
    }
    if (isAtLoad) reload(state)
    if (!isKilled) report(plan.eventsFile, { tag: "survived", mutant, file })
    if (unverified.length >= maxUnverified && !(await verify())) return false
  }
  if (!(await verify())) return false
  return true
}

init({
  post: (message) => process.send?.(message),
  on: (listen) => process.on("message", listen),
  off: (listen) => process.off("message", listen),
  runTests: runMutants,
  collectTests: (state, traces) => runBaseTests("collect", state, traces),
  setup: setupEnvironment
})
