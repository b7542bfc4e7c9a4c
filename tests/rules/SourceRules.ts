import { allSources, librarySources } from "../../scripts/Workspace.ts"

import { decides } from "./Folders.ts"

/** One thing that source may not contain, what to write instead, and the proof that the rule sees it. */
export interface SourceRule {
  readonly name: string
  /** The files to which the rule applies. */
  readonly where: RegExp
  readonly pattern: RegExp
  readonly instead: string
  /** Most rules read the code; a few are about the comments in it. */
  readonly reads: "code" | "everything"
  /** Files that may, each with its reason. */
  readonly except?: Readonly<Record<string, string>>
  readonly bad: ReadonlyArray<string>
  readonly good: ReadonlyArray<string>
}

const typescript = /\.ts$/
const tests = /\.test\.ts$/
const text = /(^|\/)[^.][^/]*$|^\.ci\/|^\.changeset\//

export const sourceRules: ReadonlyArray<SourceRule> = [
  {
    name: "time comes from the Clock",
    where: allSources,
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b/,
    instead: "Clock.currentTimeMillis, or a time given as an argument",
    reads: "code",
    except: {
      "gateway/gateway/src/kernel/AuthClock.ts": "the wall time that proofs are judged by, which no sandbox moves",
      "apps/cli/src/terminal/Environment.ts": "wall time of signatures, in commands that start without Effect",
      "gateway/gateway/src/http/pages/Scripts.ts": "runs in the customer's browser, which has its own clock",
      "packages/client/src/Callbacks.ts": "a receiver of callbacks is small: it has no runtime of Effect",
      "packages/schema/src/BrowserForm.ts": "runs in the customer's browser, which has its own clock"
    },
    bad: ["const at = Date.now()", "const at = new Date( )", "performance.now()", "process.hrtime.bigint()"],
    good: ["const at = yield* Clock.currentTimeMillis", "new Date(at)", "// never Date.now()"]
  },
  {
    name: "chance comes from a service",
    where: typescript,
    pattern: /\bMath\.random\b/,
    instead: "Random of effect, Ids for what must not be guessed, or a printed seed in a test",
    reads: "code",
    bad: ["const die = Math.random()"],
    good: ["const die = yield* Random.next"]
  },
  {
    name: "settings come from Config",
    where: allSources,
    pattern: /\bprocess\.env\b/,
    instead: "Config of effect, read where the layers are built",
    reads: "code",
    except: {
      "apps/cli/src/terminal/Environment.ts": "settings of commands that start without Effect",
      "apps/cli/src/help/Overview.ts": "NO_COLOR and FORCE_COLOR are settings of the terminal, not of the program",
      "tools/crashtest/src/process/Programs.ts": "a shop gets the whole environment, whatever is in it",
      "tools/demo/src/TerminalOutput.ts": "NO_COLOR is a setting of the terminal, not of the program",
      "tools/docs/src/snippets/CallbackSnippets.ts": "the text of programs for readers, who may use it",
      "tools/docs/src/snippets/TypeScript.ts": "the text of programs for readers, who may use it"
    },
    bad: ["const url = process.env.PAY_BASE_URL"],
    good: ['const url = yield* Config.string("PAY_BASE_URL")']
  },
  {
    name: "what an older Node lacks is not imported by name",
    where: librarySources,
    pattern:
      /^import (?!type )(?:\{[^}]*\b(?:hash|crc32|getCACertificates|isUtf8|statfsSync)\b[^}]*\} from "node:|.* from "node:sqlite"|.* with \{)/m,
    instead:
      'import "./OldNode.ts" first, then * as crypto, zlib or tls, or @pay/sqlite/Sqlite, or values in place of JSON: an older Node fails at the import before it can say so',
    reads: "everything",
    bad: [
      'import { hash } from "node:crypto"',
      'import { createHmac, hash } from "node:crypto"',
      'import { DatabaseSync } from "node:sqlite"',
      'import en from "./en.json" with { type: "json" }'
    ],
    good: [
      'import * as crypto from "node:crypto"',
      'import { createHash } from "node:crypto"',
      'import type * as Sqlite from "node:sqlite"'
    ]
  },
  {
    name: "libraries do not print",
    where: librarySources,
    pattern: /\bconsole\.\w+/,
    instead: "Effect.log and its levels",
    reads: "code",
    bad: ['console.log("sold")'],
    good: ['yield* Effect.log("sold")', "/** Prints nothing: no console.log here. */"]
  },
  {
    name: "effects run at the edge",
    where: librarySources,
    pattern: /\bEffect\.run(Promise|Sync)\w*/,
    instead: "the effect itself, given back: main.ts and tests run it",
    reads: "code",
    except: Object.fromEntries(
      ["Durable", "PooledPay", "Running", "Settings", "Web"].map((file) => [
        `packages/client/src/${file}.ts`,
        "the edge of the toolkit for programs without Effect"
      ])
    ),
    bad: ["await Effect.runPromise(sale)", "Effect.runSyncExit(sale)"],
    good: ["return sale", "Effect.runForkWith(context)(sale)"]
  },
  {
    name: "a text of a request that is kept is copied",
    where: /^(gateway\/gateway\/src\/(network|http|callbacks|kernel)|packages\/transport\/src)\//,
    pattern: /new (Map|Set)<string\b/,
    instead: "a collection whose texts KeptText.of has copied, because a part of a text keeps the whole text in memory",
    reads: "code",
    except: {
      "gateway/gateway/src/callbacks/CallbackPools.ts": "its keys are composed, and it has few",
      "gateway/gateway/src/callbacks/CallbackTurns.ts": "copies the keys that it keeps",
      "gateway/gateway/src/kernel/JobTraces.ts": "its keys are the gateway's own identifiers of jobs",
      "gateway/gateway/src/http/Connections.ts": "its keys are addresses of sockets, not texts of requests",
      "gateway/gateway/src/http/RequestHead.ts": "ends with the request",
      "gateway/gateway/src/http/operator/SignIn.ts": "its texts are hashes, and of right tokens only",
      "gateway/gateway/src/kernel/CallMetrics.ts": "its keys are composed, and it has few",
      "gateway/gateway/src/kernel/FairQueue.ts": "its keys are logins of configured merchants",
      "gateway/gateway/src/kernel/KeyedLock.ts": "has a name only while a request with it runs",
      "gateway/gateway/src/kernel/MetricSeries.ts": "its keys are composed",
      "gateway/gateway/src/kernel/StoreMemory.ts": "its keys are names of tables, and only tests use it",
      "gateway/gateway/src/network/RateLimit.ts": "copies its keys",
      "packages/transport/src/RecentAnswers.ts": "copies its texts"
    },
    bad: ["const names = new Map<string, number>()", "let seen = new Set<string>()"],
    good: ["const counts = new Map<number, string>()", "const columns: ReadonlySet<string> = new Set(fixed)"]
  },
  {
    name: "requests go through a Wire",
    where: librarySources,
    pattern: /(?<![.\w])(globalThis\.)?fetch\(/,
    instead: "the port Wire, or undici behind a port of its own",
    reads: "code",
    except: {
      "gateway/gateway/src/http/pages/Scripts.ts": "runs in the customer's browser",
      "packages/transport/src/FetchWire.ts": "is the Wire on fetch"
    },
    bad: ["await fetch(url)", "globalThis.fetch(url)"],
    good: ["prefetch(url)", "wire.fetch(url)"]
  },
  {
    name: "text is escaped in one module",
    where: allSources,
    pattern: /["'`]&(?:amp|lt|gt|quot|#39|#x27);/,
    instead: "escaped of @pay/schema/Markup, or a template that calls it",
    reads: "code",
    except: {
      "packages/schema/src/Markup.ts": "the module",
      "packages/signing/src/explain/Markup.ts": "escapes as merchants do by mistake"
    },
    bad: [`text.replace(/</g, "&lt;")`, "const entities = { '&': '&amp;' }"],
    good: ["const page = `a&amp;b`", "escaped(text)"]
  },
  {
    name: "amounts are formatted in one module",
    where: allSources,
    pattern: /\bstyle: ["']currency["']/,
    instead: "MoneyDisplay.format, because Intl by itself rounds currencies to other decimals than ISO 4217",
    reads: "code",
    except: {
      "packages/schema/src/MoneyDisplay.ts": "the module",
      "packages/signing/src/explain/LocalNumbers.ts": "prints amounts as merchants' programs do by mistake"
    },
    bad: [`new Intl.NumberFormat("en", { style: "currency", currency: "HUF" })`],
    good: [`MoneyDisplay.format(123_460, "HUF", { locale: "en" })`, `new Intl.NumberFormat("en-US")`]
  },
  {
    name: "no type is cast",
    where: typescript,
    pattern: /\bas (any|never|unknown as)\b/,
    instead: "decode the value, or make the type say what is true",
    reads: "code",
    bad: ["value as any", "value as unknown as Order", "x as never"],
    good: ["kinds as const", "value satisfies Order"]
  },
  {
    name: "the compiler is not silenced",
    where: typescript,
    pattern: /@ts-(ignore|expect-error|nocheck)/,
    instead: "repair the type; in a test of types use expectTypeOf",
    reads: "everything",
    bad: ["// @ts-ignore", "// @ts-expect-error later", "// @ts-nocheck"],
    good: ["// @tsx"]
  },
  {
    name: "every test runs",
    where: tests,
    pattern: /\b(it|test|describe|suite|layer)(\.\w+)*\.(skip|only|todo|fails|skipIf|runIf|scoped)\b/,
    instead: "a test that runs everywhere and can fail (it.scoped of Effect 3 runs nothing: it.effect is scoped)",
    reads: "code",
    bad: ['it.skip("x")', 'it.effect.only("x")', 'describe.skipIf(root)("x")', 'it.scoped("x")', 'it.todo("x")'],
    good: ['it.effect("x")', 'it.live("skips what is done")']
  },
  {
    name: "tests do not sleep",
    where: tests,
    pattern: /timers\/promises|\bsetTimeout\(\s*\w+\s*,/,
    instead: "wait for the event itself, or move TestClock",
    reads: "code",
    bad: ['import { setTimeout } from "node:timers/promises"', "new Promise((resolve) => setTimeout(resolve, 50))"],
    good: ['yield* TestClock.adjust("1 hour")']
  },
  {
    name: "no module imports its package's index",
    where: typescript,
    pattern: /from\s+"\.{1,2}\/([^"]*\/)?index\.(ts|js)"/,
    instead: 'the module itself, "./X.ts": the index is for those outside',
    reads: "code",
    bad: ['import { Money } from "./index.ts"', 'export * from "../src/index.ts"'],
    good: ['import * as Money from "./Money.ts"', 'import * as Index from "./cardindex.ts"']
  },
  {
    name: "an index only names modules",
    where: /^(packages|gateway|acquirers|tools)\/[^/]+\/src\/index\.ts$/,
    pattern: /^(?!export \* as [A-Z]\w* from "\.\/[\w/]+\.ts"$|export \{\}$|\s*$).+/m,
    instead: 'lines like export * as Money from "./Money.ts"',
    reads: "code",
    bad: ['export * from "./Money.ts"', "export const one = 1"],
    good: ['export * as Money from "./Money.ts"', "export {}"]
  },
  {
    name: "a module in public/ only names others",
    where: /^(packages|gateway|acquirers|tools)\/[^/]+\/src\/public\/\w+\.ts$/,
    pattern: /^(?!export (?:type )?(?:\*|\* as [A-Z]\w*|\{[^}]*\}) from "\.\.\/[\w/]+\.ts"$|\s*$).+/m,
    instead: 'lines like export * as Money from "../Money.ts"',
    reads: "code",
    bad: ['import { Money } from "../Money.ts"', "export const one = 1", 'export * from "./Money.ts"'],
    good: ['export * from "../kernel/Store.ts"', 'export { Order, type Kind } from "../orders/record/Order.ts"']
  },
  {
    name: "decisions are pure",
    where: decides,
    pattern:
      /from\s+"(node:[^"]*|effect\/(Effect|Layer|Context|Clock|Random|Config|Fiber|Stream|http|sql)\b[^"]*)"|import (?!type)[^"]*\b(Effect|Layer|Context|Clock|Random)\b[^"]*"effect"/,
    instead: "the value as an argument: a decision knows no clock, no store and no runtime",
    reads: "code",
    bad: ['import * as Effect from "effect/Effect"', 'import { Clock } from "effect"', 'import * as fs from "node:fs"'],
    good: [
      'import * as Schema from "effect/Schema"',
      'import { Data } from "effect"',
      'import * as X from "./Effects.ts"'
    ]
  },
  {
    name: "texts name nothing but the product",
    where: text,
    pattern: /\/work\/|\.\.\/shared\b|\bissues? #?\d+\b|\bsub-?agents?\b|\b(?:Claude|Copilot|ChatGPT)\b/i,
    instead: "the reason itself, in words a reader outside can follow",
    reads: "everything",
    bad: ["see /work/main", "read ../shared/spec", "done for issue 2", "issue #14", "a subagent wrote this"],
    good: ["the workflow", "the issuer 3-D Secure issues", "RFC 5849 section 3", "a network of 2"]
  }
]

const commentsAndStrings = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/** The code without its comments, every line still where it was. */
export const codeOf = (text: string): string =>
  text.replace(commentsAndStrings, (match, string: string | undefined) => string ?? match.replace(/[^\n]/g, ""))

/** Returns the places at which a text breaks a rule: `line: what was found`. */
export const breaches = (rule: SourceRule, text: string): ReadonlyArray<string> => {
  const read = rule.reads === "code" ? codeOf(text) : text
  return [...read.matchAll(new RegExp(rule.pattern, `${rule.pattern.flags}g`))].map(
    (match) => `${read.slice(0, match.index).split("\n").length}: ${match[0].trim()}`
  )
}
