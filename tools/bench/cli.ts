/** Measures the start of the built program `pay`, with its compile cache, relative to the shortest start of Node. */
import { spawn } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Measure from "./Measure.ts"

const root = join(import.meta.dirname, "../..")
const turns = 31

/** A program to start. Its start ends with the process (`end`), or with its first line of output (`line`). */
interface Start {
  readonly args: ReadonlyArray<string>
  readonly until: "end" | "line"
}

/** Returns the real time of a start in microseconds. A program that listens is stopped after its first line. */
const startMicros = ({ args, until }: Start, env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = Measure.wallMicros()
    let micros: number | undefined
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] })
    child.stdout.once("data", () => {
      if (until === "end") return
      micros = Measure.wallMicros() - begun
      child.kill("SIGTERM")
    })
    child.on("exit", () => {
      if (until === "end") micros = Measure.wallMicros() - begun
    })
    child.on("close", (code) => {
      if (code === 0 && micros !== undefined) resolve(micros)
      else reject(new Error(`${args.join(" ")} ended with ${code}`))
    })
  })

/** A minimal server as an ES module, the format of the gateway and of current servers. */
const listening = `import { createServer } from "node:http"
createServer().listen(0, "127.0.0.1", () => console.log("listening"))
process.on("SIGTERM", () => process.exit(0))
`

const built = (folder: string): string => {
  cpSync(join(root, "apps/cli/bin"), join(folder, "bin"), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  mkdirSync(join(folder, "dist"))
  return join(folder, "bin/pay.js")
}

const run = async (folder: string): Promise<ReadonlyArray<Measure.Row>> => {
  const env = {
    ...process.env,
    PAY_LOG_LEVEL: "warning",
    XDG_CACHE_HOME: join(folder, "cache"),
    PAY_LOGIN: "merchantlogin",
    PAY_CONTROL_KEY: "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
  }
  const pay = built(folder)
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js")
  const build = { args: [tsup, "--out-dir", join(folder, "dist"), "--silent"], until: "end" } as const
  process.chdir(join(root, "apps/cli"))
  await startMicros(build, process.env)

  const nothing: Start = { args: ["-e", "0"], until: "end" }
  const server: Start = { args: [join(folder, "server.js")], until: "line" }
  writeFileSync(join(folder, "server.js"), listening)
  const sign = ["sign", "capture", "--client_orderid=1", "--orderid=2", "--amount=10.42", "--currency=USD"]
  const gateway = ["gateway", "start", "--port=0", `--data=${join(folder, "data")}`, "--json"]
  const cases = [
    ["K1 help", "pay --help / node -e 0", ["--help"], nothing, 1.5, 1.3],
    ["K1 sign", "pay sign / node -e 0", sign, nothing, 3, 2],
    ["K2", "gateway listening on a migrated database / a bare node:http server listening", gateway, server, 2, 1.3]
  ] as const

  const rows: Array<Measure.Row> = []
  for (const [id, measure, args, baseline, atMost, aim] of cases) {
    const ours: Start = { args: [pay, ...args], until: baseline.until }
    const micros = { ours: [] as number[], baseline: [] as number[] }
    for (let warm = 0; warm < 3; warm++) await startMicros(ours, env)
    for (let turn = 0; turn < turns; turn++) {
      micros.baseline.push(await startMicros(baseline, env))
      micros.ours.push(await startMicros(ours, env))
    }
    const [oursMicros, baselineMicros] = [Measure.median(micros.ours), Measure.median(micros.baseline)]
    rows.push(
      Measure.row({
        id,
        measure,
        ours: milliseconds(oursMicros),
        baseline: milliseconds(baselineMicros),
        ratio: oursMicros / baselineMicros,
        limit: { atMost, aim }
      })
    )
  }
  return rows
}

const milliseconds = (micros: number): string => `${(micros / 1000).toFixed(1)} ms`

const benchmark: Measure.Benchmark = { id: "K", title: "Start of the command line", run: () => Measure.inFolder(run) }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
