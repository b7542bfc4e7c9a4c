/**
 * `npm run conformance`: runs every check of the conformance suite against the gateway of this repository, on SQLite and on
 * PostgreSQL, and in the older dialect, and writes the reports into docs/merchants/conformance.md.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Conformance from "@pay/conformance/Conformance"
import * as Report from "@pay/conformance/Report"
import { Effect, Redacted, type Scope } from "effect"
import * as TestDatabase from "../postgres/TestDatabase.ts"
import * as TestRun from "./TestRun.ts"

const { older } = TestRun

interface Subject {
  readonly title: string
  readonly run: Effect.Effect<Conformance.Run, unknown, Scope.Scope>
}

const onPostgres = Effect.gen(function* () {
  const url = yield* TestDatabase.make(yield* TestDatabase.server)
  return yield* TestRun.gateway({ database: { url: Redacted.make(url) } })
})

const subjects: ReadonlyArray<Subject> = [
  { title: "On SQLite", run: Effect.flatMap(TestRun.gateway(), (baseUrl) => TestRun.at(baseUrl)) },
  { title: "On PostgreSQL", run: Effect.flatMap(onPostgres, (baseUrl) => TestRun.at(baseUrl)) },
  {
    title: "In the older dialect",
    run: Effect.flatMap(TestRun.gateway({ merchants: older.merchants }), (baseUrl) =>
      TestRun.at(baseUrl, { settings: older.settings })
    )
  }
]

/** The whole report of the first run, and the result of each further one. */
const section = ({ title }: Subject, run: Conformance.Run): string => {
  const report = Report.text({ ...run, baseUrl: "http://127.0.0.1:8080" })
  const isFirst = title === subjects[0]?.title
  const parts = report.split("\n\n").slice(isFirst || !Report.isPassed(run) ? 0 : 2)
  return `### ${title}\n\n\`\`\`text\n${parts.join("\n\n")}\n\`\`\`\n`
}

const page = join(import.meta.dirname, "../../docs/merchants/conformance.md")
const mark = "<!-- Written by npm run conformance from here on. -->"

const sections: Array<string> = []
let day = ""
let isPassed = true
for (const subject of subjects) {
  const run = await Effect.runPromise(Effect.scoped(subject.run))
  console.log(`${subject.title}\n${Report.text(run)}\n`)
  sections.push(section(subject, run))
  day = new Date(run.startedAtMs).toISOString().slice(0, 10)
  isPassed &&= Report.isPassed(run) && run.results.length === Conformance.checks.length
}
const [guide = ""] = readFileSync(page, "utf8").split(mark)
writeFileSync(
  page,
  `${guide}${mark}

## The reports of this gateway

The sandbox gateway of this repository, on ${day}: all ${Conformance.checks.length} checks on each store, and at merchants whose endpoints accept only the
older dialect. \`npm run conformance\` runs them again and writes this part.

${sections.join("\n")}`
)
process.exit(isPassed ? 0 : 1)
