/** Starts servers under load as separate processes, and measures their throughput. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Measure from "../Measure.ts"

export interface Server {
  readonly port: number
  /** The address for operators; empty where the script has none. */
  readonly operatorUrl: string
  readonly cpuMicros: () => number
  readonly stop: () => void
  /** Closes the input of the process. Some scripts start their work at this signal. */
  readonly begin: () => void
  /** Completes when the process has ended. */
  readonly ended: Promise<void>
}

const ticksPerSecond = 100

/** Returns the user and system time of the process in microseconds, from /proc. */
const cpuMicros = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond
}

/** Starts a script of this folder. Completes when the script prints `port N`, which means that it is ready; an address may follow. */
export const start = (script: string, ...args: ReadonlyArray<string>): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    const ended = new Promise<void>((gone) => child.on("exit", () => gone()))
    child.on("exit", (code) => reject(new Error(`${script} ended with ${code}`)))
    if (child.stdout === null) return reject(new Error("no stdout"))
    createInterface(child.stdout).on("line", (line) => {
      const [, port, operatorUrl = ""] = /^port (\d+)(?: (\S+))?$/.exec(line) ?? []
      if (port === undefined) return
      const stop = () => child.kill("SIGKILL")
      const begin = () => child.stdin?.end()
      resolve({ port: Number(port), operatorUrl, begin, cpuMicros: () => cpuMicros(child.pid ?? 0), stop, ended })
    })
  })

export interface Turn {
  readonly perSecond: number
  readonly cpuMicros: number
}

export const turn = async (server: Server, requests: number, work: () => Promise<void>): Promise<Turn> => {
  const cpu = server.cpuMicros()
  const begun = Measure.wallMicros()
  await work()
  const micros = Measure.wallMicros() - begun
  return { perSecond: (requests * 1e6) / micros, cpuMicros: (server.cpuMicros() - cpu) / requests }
}

/** Formats the medians of all turns. */
const show = (all: ReadonlyArray<Turn>): string =>
  `${Math.round(Measure.median(all.map(({ perSecond }) => perSecond)))}/s, ${Measure.micros(Measure.median(all.map(({ cpuMicros }) => cpuMicros)))} CPU`

/** Formats both sides, with the ratio of their throughputs. */
export const compared = (ours: ReadonlyArray<Turn>, theirs: ReadonlyArray<Turn>) => ({
  ours: show(ours),
  baseline: show(theirs),
  ratio: ratio(ours, theirs)
})

/** Returns the median of the ratios of corresponding turns. */
const ratio = (ours: ReadonlyArray<Turn>, theirs: ReadonlyArray<Turn>): number =>
  Measure.median(ours.map(({ perSecond }, n) => perSecond / (theirs[n]?.perSecond ?? Number.NaN)))
