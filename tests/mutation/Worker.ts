/**
 * The process of vitest that runs a place's test files, one after another: each once without a mutant, to see which mutants its tests
 * meet; then, mutant after mutant, the tests that meet it, until one fails. Modules stay loaded, so that a mutant costs
 * no more than its tests.
 */
import { relative } from "node:path"
import type { RunnerTask, RunnerTestFile, RuntimeRPC } from "vitest"
import { init, runBaseTests, setupEnvironment } from "vitest/worker"
import { root } from "../../scripts/Workspace.ts"
import { type Plan, readPlan, tell } from "./Plan.ts"

type State = Parameters<typeof runBaseTests>[1]
type Traces = Parameters<typeof runBaseTests>[2]

/** So many kills wait for their proof together. */
const mostUnproved = 10
/** So many tests that killed before are tried by themselves, before all that meet a mutant are. */
const mostKillers = 3

const none = -1
let living = none
let met: ((mutant: number) => void) | undefined

Object.assign(globalThis, {
  __mutant: (mutant: number): boolean => {
    met?.(mutant)
    return mutant === living
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
  /** Ids; left out: all of the file. */
  readonly tests?: ReadonlyArray<string> | undefined
  /** To the end, whatever fails. */
  readonly isWhole?: boolean
  readonly onRun?: (run: Run) => void
}

const runner = (state: State, traces: Traces) => async (file: string, options: Options) => {
  const run: Run = { failed: new Set(), files: [], isLoading: true }
  options.onRun?.(run)
  const report = listener(run)
  const rpc = new Proxy(state.rpc, {
    get: (target, name) => Reflect.get(Object.hasOwn(report, name) ? report : target, name)
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

/** What one run of a test file without a mutant shows. */
interface Observed {
  readonly id: string
  readonly tests: ReadonlyMap<string, Test>
  /** Ids of the tests that meet a mutant, by the mutant; that of the file where what they share meets it. */
  readonly meets: ReadonlyMap<number, ReadonlySet<string>>
}

/** Mutants that are met while modules are loaded: these are loaded anew for them. */
const atLoad = new Set<number>()

const look = async (runFile: RunFile, path: string): Promise<Observed & { readonly run: Run }> => {
  const meets = new Map<number, Set<string>>()
  let running: Run | undefined
  met = (mutant) => {
    const task: RunnerTask | undefined = Reflect.get(globalThis, "__vitest_worker__")?.current
    if (running === undefined || running.isLoading || task === undefined) return atLoad.add(mutant)
    const id = task.type === "suite" ? task.file.id : task.id
    return meets.set(mutant, (meets.get(mutant) ?? new Set()).add(id))
  }
  const run = await runFile(path, {
    isWhole: true,
    onRun: (begun) => {
      running = begun
    }
  })
  met = undefined
  const tests = run.files
    .flatMap(({ tasks }) => testsIn(tasks))
    .map((test) => [test.id, { name: titleOf(test), usuallyMs: test.result?.duration ?? 0 }] as const)
  return { id: run.files[0]?.id ?? "", tests: new Map(tests), meets, run }
}

/** Modules of this repository are loaded anew; what they import from elsewhere stays. */
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
  const dead = new Set<number>()
  tell(plan.news, { tag: "started", pid: process.pid })
  for (const { file, wanted } of plan.tests) {
    const alive = wanted.filter((mutant) => !dead.has(mutant))
    if (!(await runAgainst(plan, state, runFile, file, alive, dead))) return
  }
}

/** What the tests of one file kill is added to the `dead`; false: this process is of no more use. */
const runAgainst = async (
  plan: Plan,
  state: State,
  runFile: RunFile,
  file: string,
  wanted: ReadonlyArray<number>,
  dead: Set<number>
): Promise<boolean> => {
  tell(plan.news, { tag: "looking", file })
  const startedMs = performance.now()
  const { id: fileId, meets, run, tests } = await look(runFile, file)
  const nameOf = (id: string): string => [file, ...[tests.get(id)?.name ?? []].flat()].join(" > ")
  const met = wanted.filter((mutant) => meets.has(mutant) || atLoad.has(mutant))
  for (const id of run.failed) {
    const errors = run.files.flatMap(({ result, tasks }) => [result, ...testsIn(tasks).map((test) => test.result)])
    const reason = errors.flatMap((result) => result?.errors?.map(({ message }) => message) ?? []).join("; ")
    tell(plan.news, { tag: "broken", test: nameOf(id), reason })
  }
  if (run.failed.size > 0) return false
  tell(plan.news, { tag: "looked", file, tookMs: performance.now() - startedMs, met })

  /** Tests that killed before, the latest first. */
  let killers: ReadonlyArray<string> = []
  let unproved: ReadonlyArray<Kill> = []

  /** A test that fails without a mutant, too, has killed nothing: what went before has left something behind. */
  const prove = async (): Promise<boolean> => {
    for (const id of new Set(unproved.map((kill) => kill.id))) {
      const { failed } = await runFile(file, { tests: id === fileId ? undefined : [id] })
      if (failed.size === 0) continue
      tell(plan.news, { tag: "doubted", test: nameOf(id) })
      return false
    }
    for (const { id, mutant } of unproved) {
      tell(plan.news, { tag: "killed", mutant, by: nameOf(id) })
      dead.add(mutant)
    }
    unproved = []
    return true
  }

  for (const mutant of met) {
    const isAtLoad = atLoad.has(mutant)
    const ids = meets.get(mutant) ?? new Set()
    const all = isAtLoad || ids.has(fileId) ? undefined : [...ids]
    const first = isAtLoad ? [] : killers.filter((id) => ids.has(id)).slice(0, mostKillers)
    let isKilled = false
    if (isAtLoad) reload(state)
    for (const turn of [...first.map((id) => [id]), all]) {
      const usuallyMs = (turn ?? [...tests.keys()]).reduce((sum, id) => sum + (tests.get(id)?.usuallyMs ?? 0), 0)
      tell(plan.news, { tag: "running", mutant, usuallyMs })
      living = mutant
      const { failed } = await runFile(file, { tests: turn })
      living = none
      const killer = [...failed].find((id) => !plan.doubted.includes(nameOf(id)))
      if (killer === undefined) continue
      // A group of tests whose set-up fails is not a test that could be run again: its file is.
      const id = tests.has(killer) ? killer : fileId
      unproved = [...unproved, { mutant, id }]
      killers = [id, ...killers.filter((other) => other !== id)]
      isKilled = true
      break
    }
    if (isAtLoad) reload(state)
    if (!isKilled) tell(plan.news, { tag: "survived", mutant, file })
    if (unproved.length >= mostUnproved && !(await prove())) return false
  }
  if (!(await prove())) return false
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
