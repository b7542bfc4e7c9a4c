/** `docs/external.md`: which snippets worked, with which programs, and on which day. */
import { page, table } from "../src/pages/Markdown.ts"
import { type Language, languages, type VectorLanguage, vectorLanguages } from "../src/snippets/Language.ts"

export interface Result {
  /** An operation's command, or what was checked of a callback. */
  readonly of: string
  readonly language: Language | VectorLanguage
  readonly problem: string | undefined
}

export interface Run {
  readonly results: ReadonlyArray<Result>
  readonly versions: ReadonlyArray<readonly [language: Language | VectorLanguage, version: string]>
  readonly missing: ReadonlyArray<string>
  readonly day: string
}

const columns = [...new Set([...languages, ...vectorLanguages])]

const cell = (results: ReadonlyArray<Result>, of: string, language: Language | VectorLanguage): string => {
  const result = results.find((each) => each.of === of && each.language === language)
  if (result === undefined) return ""
  return result.problem === undefined ? "works" : "**fails**"
}

export const write = ({ day, missing, results, versions }: Run): string => {
  const failures = results.filter(({ problem }) => problem !== undefined)
  const rows = [...new Set(results.map(({ of }) => of))]
  return page(
    "# Snippets against a sandbox",
    `\`npm run test:external\` writes this page. It runs every snippet of the documentation site against a sandbox gateway on a port: the
request of each operation, and the check of callbacks, of which one was delivered by the gateway. It also runs the programs of
[signing vectors](vectors.md) over right and over wrong vectors. It is not part of \`npm test\`, because it needs the languages. Run it
before a release.`,
    `Last run: ${day}. ${results.length - failures.length} of ${results.length} worked.`,
    table(["Language", "Version"], versions),
    missing.length === 0 ? "" : `Not installed, and left out: ${missing.join(", ")}.`,
    table(
      ["Snippet", ...columns],
      rows.map((of) => [of, ...columns.map((language) => cell(results, of, language))])
    ),
    ...failures.map(({ language, of, problem }) => `${of}, ${language}:\n\n\`\`\`text\n${problem}\n\`\`\``)
  )
}
