/**
 * `npm run conformance`: runs every check of the conformance suite against the gateway of this repository, on SQLite and on
 * PostgreSQL, and in the older dialect, and writes the reports into docs/conformance.md.
 */
import * as Conformance from "@pay/conformance/Conformance"
import * as Report from "@pay/conformance/Report"
import { Effect, Redacted, type Scope } from "effect"
import * as TestDatabase from "../postgres/TestDatabase.ts"
import * as GuidePage from "./GuidePage.ts"
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

const section = ({ title }: Subject, run: Conformance.Run): string => `### ${title}

\`\`\`text
${Report.text({ ...run, baseUrl: "http://127.0.0.1:8080" })}
\`\`\`
`

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
const all = Conformance.checks.length
GuidePage.write(
  "conformance",
  `## The reports of this gateway

The sandbox gateway of this repository, on ${day}: all ${all} checks on each store, and at merchants whose endpoints accept only the
older dialect. \`npm run conformance\` runs them again and writes this part. \`npm test\` runs all of them on SQLite. On PostgreSQL and in
the older dialect, it runs those whose answers depend on it.

${sections.join("\n")}`
)
process.exit(isPassed ? 0 : 1)
