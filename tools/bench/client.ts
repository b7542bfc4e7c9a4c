/** Measures how many bytes `@pay/client` adds to a program, relative to the SDK of a large payment provider. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "tsup"
import * as Measure from "./Measure.ts"

const root = join(import.meta.dirname, "../..")

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)

/** Builds the client, and unpacks its package as an installation does. */
const unpackedClient = (folder: string): string => {
  const client = join(root, "packages/client")
  const pnpm = join(root, ".tools/node_modules/.bin/pnpm")
  const run = (program: string, args: ReadonlyArray<string>) =>
    execFileSync(program, args, { cwd: client, stdio: ["ignore", "ignore", "inherit"] })
  run(pnpm, ["run", "build"])
  run(pnpm, ["pack", "--pack-destination", folder])
  run("tar", ["-xzf", join(folder, readdirSync(folder)[0] ?? ""), "-C", folder])
  return join(folder, "package")
}

/** Returns a program with a single import, bundled and minified. */
const bundled = async (from: string, folder: string): Promise<Buffer> => {
  mkdirSync(folder, { recursive: true })
  const entry = join(folder, "program.js")
  writeFileSync(entry, `export * from ${JSON.stringify(from)}\n`)
  const outDir = join(folder, "out")
  const format = "esm" as const
  await build({
    entry: [entry],
    outDir,
    format,
    platform: "node",
    minify: true,
    silent: true,
    config: false,
    noExternal: [/./]
  })
  const files = readdirSync(outDir).filter((name) => /\.m?js$/.test(name))
  return Buffer.concat(files.map((name) => readFileSync(join(outDir, name))))
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`

const row = (id: string, what: string, ours: number, baseline: number, atMost: number, aim: number): Measure.Row =>
  Measure.row({
    id,
    measure: `${what}: @pay/client / stripe`,
    ours: kilobytes(ours),
    baseline: kilobytes(baseline),
    ratio: ours / baseline,
    limit: { atMost, aim }
  })

const run = async (folder: string): Promise<ReadonlyArray<Measure.Row>> => {
  const beside = join(import.meta.dirname, "node_modules/.client-size")
  try {
    const client = unpackedClient(folder)
    const stripe = realpathSync(join(import.meta.dirname, "node_modules/stripe"))
    const ours = await bundled(join(client, "dist/main.mjs"), join(folder, "bundle"))
    const theirs = await bundled("stripe", beside)
    return [
      row("Z1", "installed", sizeOf(client), sizeOf(stripe), 0.5, 0.5),
      row("Z2", "bundled and minified", ours.length, theirs.length, 1.8, 1.7),
      row("Z3", "bundled, minified and gzipped", gzipSync(ours).length, gzipSync(theirs).length, 4.3, 4)
    ]
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

const benchmark: Measure.Benchmark = { id: "Z", title: "Size of the client", run: () => Measure.inFolder(run) }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
