/**
 * Judges every regular expression of the sources anew, and writes the list of those that take linear time, which the test of the
 * rules does not judge again: `node tests/rules/proveRegexes.ts`.
 */
import { writeFileSync } from "node:fs"
import * as ProvedRegexes from "./ProvedRegexes.ts"
import * as Regexes from "./RegexRules.ts"

const expressions = ProvedRegexes.expressions(ProvedRegexes.matches())
const verdicts = Regexes.wrong(expressions)
const proved = ProvedRegexes.sorted(expressions.map(Regexes.textOf).filter((text) => verdicts[text] === undefined))
writeFileSync(ProvedRegexes.file, ProvedRegexes.write({ judge: Regexes.judge, proved }))
for (const [text, verdict] of Object.entries(verdicts)) console.log(`${text}: ${verdict}`)
console.log(`${proved.length} of ${proved.length + Object.keys(verdicts).length} expressions are proved`)
