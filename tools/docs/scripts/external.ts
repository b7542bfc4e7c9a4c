/**
 * `npm run test:external`: runs every snippet of the documentation against a sandbox gateway, in every language that this machine
 * has or that it may install, the files of a release in clean projects, the shop of `docs/merchants/client.md` on every runtime of
 * JavaScript that the packages promise, the packed client in projects with the tools of others, and the public clients of the older
 * dialect whose code `PAY_EXTERNAL_CLIENTS` has. It writes the result to `docs/contributors/external.md`. Run it before a release.
 */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Programs from "../../../scripts/Programs.ts"
import * as Runtimes from "../../../scripts/Runtimes.ts"
import { root } from "../../../scripts/Workspace.ts"
import * as CallbackSnippets from "../src/snippets/CallbackSnippets.ts"
import * as ExampleRequest from "../src/snippets/ExampleRequest.ts"
import { facts, type Language, languages, type VectorLanguage, vectorLanguages } from "../src/snippets/Language.ts"
import * as Snippets from "../src/snippets/Snippets.ts"
import * as Prerequisites from "../test/Prerequisites.ts"
import * as SnippetRun from "../test/SnippetRun.ts"
import { start } from "../test/TestSandbox.ts"
import * as ClientRuns from "./ClientRuns.ts"
import * as ExternalReport from "./ExternalReport.ts"
import * as Progress from "./Progress.ts"
import * as ReleaseRuns from "./ReleaseRuns.ts"
import * as ShopRuns from "./ShopRuns.ts"
import * as VectorPrograms from "./VectorPrograms.ts"

const programs = {
  curl: ["bash", "curl", "openssl"],
  TypeScript: [],
  PHP: ["php"],
  Python: ["python3", "openssl"],
  Go: ["go"],
  Java: ["java"]
} as const
const print: Progress.Print = (line) => console.log(line)
const missing = Programs.installMissing([...new Set(Object.values(programs).flat())])
for (const name of missing) print(Progress.leftOut(name, "it is not installed"))
const isRunnable = (language: Language | VectorLanguage) => !programs[language].some((name) => missing.includes(name))
const runnable = languages.filter(isRunnable)

const sandbox = await start()
const folder = SnippetRun.folder()
const results: Array<ExternalReport.Result> = []

const record = (of: string, language: Language | VectorLanguage, problem: string | undefined): void => {
  results.push({ of, language, problem })
  print(Progress.ended(`${of}, ${language}`, problem))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The type of an answer, or the text itself if it is no answer. */
const typeOf = (output: string): unknown => {
  try {
    const answer: unknown = JSON.parse(output)
    return isObject(answer) ? answer.type : output
  } catch {
    return output
  }
}

const runRequest = async (request: ExampleRequest.ExampleRequest, language: Language): Promise<string | undefined> => {
  const variables = { ...(await Prerequisites.of(sandbox, request)), ...SnippetRun.variablesOf(sandbox) }
  const text = Snippets.of(request)[language]
  const { code, output } = await SnippetRun.run(folder.path, request.operation.name, language, text, { variables })
  const isAccepted = code === 0 && typeOf(output) === ExampleRequest.answerType(request)
  return isAccepted ? undefined : output.trim().slice(0, 300)
}

/** A callback that the gateway has delivered, as arguments of the snippets. */
const delivered = async (): Promise<ReadonlyArray<string>> => {
  await Prerequisites.of(sandbox, ExampleRequest.named("STATUS"))
  const [callback] = sandbox.callbacks.slice(-1)
  if (callback === undefined) throw new Error("the gateway has delivered no callback")
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
  return [callback.query, ...names.map((name) => String(callback.headers[name]))]
}

const old = CallbackSnippets.vector(
  [
    ["status", "approved"],
    ["orderid", "17"],
    ["client_orderid", "order-17"]
  ],
  {
    id: "17-1",
    timestampSeconds: 1_700_000_000
  }
)

/** A callback of this moment: a run of every language takes longer than a receiver accepts one. */
const other = () =>
  CallbackSnippets.vector(
    [
      ["status", "approved"],
      ["orderid", "17"],
      ["client_orderid", "Größe 1+1 & 100%"]
    ],
    { id: "17-1", timestampSeconds: Math.floor(Date.now() / 1000) }
  )

const runCallbacks = async (language: Language): Promise<void> => {
  const genuine = await delivered()
  const [query = "", id = "", timestamp = "", signature = ""] = genuine
  const named = other()
  const cases: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, isAccepted: boolean]> = [
    ["a delivered callback is accepted", genuine, true],
    ["an order name with other letters is accepted", [named.query, ...Object.values(named.headers)], true],
    [
      "a changed status is refused",
      [query.replace("status=approved", "status=declined"), id, timestamp, signature],
      false
    ],
    ["a changed amount is refused", [query.replace("amount=10.42", "amount=99.42"), id, timestamp, signature], false],
    ["a callback without control is refused", [query.replace(/&control=.*/, ""), id, timestamp, signature], false],
    ["an old callback is refused", [old.query, ...Object.values(old.headers)], false]
  ]
  for (const [what, args, isAccepted] of cases) {
    const text = CallbackSnippets.snippets[language]
    const { code, output } = await SnippetRun.run(folder.path, "check", language, text, { args })
    record(
      what,
      language,
      (code === 0) === isAccepted ? undefined : `ended with ${code}: ${output.trim().slice(0, 300)}`
    )
  }
}

/** The TypeScript snippets as their readers compile them. */
const typeErrors = (): string => {
  for (const request of ExampleRequest.all)
    writeFileSync(join(folder.path, `${request.operation.name}.ts`), Snippets.of(request).TypeScript)
  writeFileSync(join(folder.path, "check.ts"), CallbackSnippets.snippets.TypeScript)
  writeFileSync(
    join(folder.path, "tsconfig.json"),
    JSON.stringify({ extends: "../../../../tsconfig.check.json", include: ["*.ts"], exclude: [] })
  )
  const tsc = join(root, "node_modules/.bin/tsc")
  const { status, stdout } = spawnSync(tsc, ["-p", folder.path], { encoding: "utf8" })
  return status === 0 ? "" : stdout
}

const errors = typeErrors()
record("types of the snippets", "TypeScript", errors === "" ? undefined : errors.slice(0, 1000))
for (const language of runnable) {
  print(Progress.begins(`the snippets in ${language}`))
  for (const request of ExampleRequest.all)
    record(request.operation.command, language, await runRequest(request, language))
  await runCallbacks(language)
}

for (const language of vectorLanguages.filter(isRunnable)) {
  for (const { isRight, path, what } of VectorPrograms.folders(folder.path)) {
    const text = VectorPrograms.programOf(language)
    const { code, output } = await SnippetRun.run(folder.path, "Vectors", language, text, { args: [path] })
    record(what, language, (code === 0) === isRight ? undefined : `ended with ${code}: ${output.trim().slice(0, 300)}`)
  }
}

const clientsFolder = process.env.PAY_EXTERNAL_CLIENTS ?? ""
const clients = await ClientRuns.run(clientsFolder, print)

const runtimes = Runtimes.missing()
for (const name of runtimes) print(Progress.leftOut(name, "npm could not install it"))
const shops = [...(await ReleaseRuns.run(print)), ...ShopRuns.run(folder.path, print)]

const versionOf = (language: Language | VectorLanguage): string => {
  const [program] = facts[language].command
  const flag = language === "Go" ? "version" : "--version"
  const { stdout } = spawnSync(language === "curl" ? "curl" : program, [flag], { encoding: "utf8" })
  return stdout.split(/ \(|\n/, 1)[0]?.trim() ?? ""
}

folder.close()
await sandbox.close()
const versions = [...new Set([...languages, ...vectorLanguages])]
  .filter(isRunnable)
  .map((language) => [language, versionOf(language)] as const)
const report = ExternalReport.write({
  results,
  shops,
  clients,
  versions,
  missing: [...missing, ...runtimes],
  places: [
    [clientsFolder, "PAY_EXTERNAL_CLIENTS"],
    [root, "pay"],
    [tmpdir(), "tmp"]
  ],
  day: new Date().toISOString().slice(0, 10)
})
writeFileSync(join(root, "docs/contributors/external.md"), report)
const all = [...results, ...shops, ...clients.runs]
const failures = all.filter(({ problem }) => problem !== undefined)
print(
  `${all.length - failures.length} passed, ${failures.length} failed; the result is in docs/contributors/external.md`
)
process.exitCode = failures.length === 0 ? 0 : 1
