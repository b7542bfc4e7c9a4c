/** Writes the report of a crash test into a file, in the form of `--report`. */
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from "node:fs"
import type { Result } from "@pay/crashtest/Finding"
import type { Replay } from "@pay/crashtest/Report"
import * as ReportJson from "@pay/crashtest/ReportJson"
import * as ReportJunit from "@pay/crashtest/ReportJunit"
import * as ReportPage from "@pay/crashtest/ReportPage"
import type * as Flags from "../command/Flags.ts"
import { UsageError } from "../terminal/UsageError.ts"
import { topic } from "./CrashTestOptions.ts"

type Write = (result: Result, replay: Replay) => string

const jsonText: Write = (result, replay) => `${JSON.stringify(ReportJson.json(result, replay), undefined, 2)}\n`

const formats: Readonly<Record<string, readonly [ending: string, write: Write]>> = {
  html: ["html", ReportPage.write],
  json: ["json", jsonText],
  junit: ["xml", ReportJunit.junit]
}

export interface Target {
  /** The file; `-` is standard output. */
  readonly path: string
  readonly write: Write
  /** What is said if it cannot be written. */
  readonly refusal: string
}

const unwritable = "--out names a file that cannot be written"
const elsewhere = (path: string) => `${path} cannot be written in this folder: write it elsewhere with --out FILE`

/** Fails if the file cannot be written, and leaves no empty file behind. */
const probe = (path: string): void => {
  const isNew = !existsSync(path)
  closeSync(openSync(path, "a"))
  if (isNew) unlinkSync(path)
}

/** Returns what `--report` and `--out` ask for. A path that cannot be written fails now, and not after the run. */
export const targetOf = ({ flags }: Flags.Given): Target | undefined => {
  const format = flags.get("report")
  const out = flags.get("out")
  if (format === undefined) {
    if (out !== undefined) throw new UsageError("--out needs --report html, json or junit", topic)
    return undefined
  }
  const [ending, write] = (Object.hasOwn(formats, format) ? formats[format] : undefined) ?? []
  if (ending === undefined || write === undefined) throw new UsageError("--report is html, json or junit", topic)
  const path = out ?? `crashtest-report.${ending}`
  const target = { path, write, refusal: out === undefined ? elsewhere(path) : unwritable }
  if (path !== "-") attempt(target, () => probe(path))
  return target
}

const attempt = ({ refusal }: Target, act: () => void): void => {
  try {
    act()
  } catch {
    throw new UsageError(refusal, topic)
  }
}

/** Writes the report into its file. */
export const save = (target: Target, result: Result, replay: Replay): void =>
  attempt(target, () => writeFileSync(target.path, target.write(result, replay)))
