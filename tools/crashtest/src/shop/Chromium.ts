/**
 * Finds the Chromium or Chrome of the user's machine, and speaks with it in its DevTools protocol through two pipes: a program that is
 * one file has no place for a browser library of seven megabytes.
 */
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { Readable, Writable } from "node:stream"
import { Config, Data, Deferred, Effect, Predicate, Result } from "effect"
import * as Programs from "../process/Programs.ts"
import * as JsonText from "../template/JsonText.ts"

/** The browser cannot do what it should: why, in a sentence. */
export class BrowserFailed extends Data.TaggedError("BrowserFailed")<{ readonly message: string }> {}

const names = [
  ...["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  ...["microsoft-edge", "chrome", "chrome.exe", "msedge.exe"]
]

/** Places that are not in PATH: of macOS, of snap, of Windows. */
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"
]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of the browser: `PAY_CHROMIUM`, or one in PATH, or in a usual place. */
const find = Effect.gen(function* () {
  const chosen = yield* Config.String("PAY_CHROMIUM").pipe(Config.withDefault(""))
  if (chosen !== "" && !isProgram(chosen))
    return yield* new BrowserFailed({ message: `PAY_CHROMIUM names ${chosen}, which is not a program.` })
  const folders = (yield* Config.String("PATH").pipe(Config.withDefault(""))).split(delimiter)
  const paths = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places]
  const path = chosen === "" ? paths.find(isProgram) : chosen
  const missing =
    'The steps of "customer" need Chromium or Chrome, and none is installed. Install it, on Debian with: apt-get install chromium. Or set PAY_CHROMIUM to its path. Or write "customer": "pages", for the customer without a browser.'
  return path === undefined ? yield* new BrowserFailed({ message: missing }) : path
}).pipe(Effect.catchTag("ConfigError", ({ message }) => new BrowserFailed({ message })))

/** Without these it would call its maker's servers, or ask the user something. As root it has no sandbox. */
const flags = (profile: string): ReadonlyArray<string> => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${profile}`,
  "--ignore-certificate-errors",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "about:blank"
]

type Fields = Readonly<Record<string, unknown>>

export interface Chromium {
  /** Calls a method, in a page or in the browser. */
  readonly call: (method: string, parameters?: Fields, page?: string) => Effect.Effect<Fields, BrowserFailed>
  /** Takes the events of one page until the returned function is called. */
  readonly listen: (page: string, take: (method: string, fields: Fields) => void) => () => void
}

const end = "\0"

const isFields = (value: unknown): value is Fields => Predicate.isObject(value) && !Array.isArray(value)

/** The text at a path of fields, empty without one. */
const fieldsAt = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isFields(value) ? value : {}
}

const spawn = Effect.fnUntraced(function* (path: string, id: string) {
  const profile = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-crashtest-chromium-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  )
  const programs = yield* Programs.scoped({ folder: profile, env: {} }, id)
  return programs.spawn([path, ...flags(profile)], () => () => undefined, { hasPipes: true })
})

/** Starts the browser. It ends with the scope. */
export const start = Effect.fnUntraced(function* (id: string) {
  const path = yield* find
  const child = yield* spawn(path, id)
  const [, , , input, output] = child.stdio
  if (!(input instanceof Writable && output instanceof Readable))
    return yield* new BrowserFailed({ message: `${path} cannot be started.` })

  const calls = new Map<number, Deferred.Deferred<Fields, BrowserFailed>>()
  const listeners = new Map<string, (method: string, fields: Fields) => void>()
  let latest = 0
  const over = () => {
    for (const call of calls.values())
      Deferred.doneUnsafe(call, Effect.fail(new BrowserFailed({ message: `${path} has ended.` })))
    calls.clear()
  }
  const take = (text: string) => {
    const message = Result.getOrUndefined(JsonText.read(text))
    if (!isFields(message)) return
    const { error, id, method, sessionId } = message
    if (typeof method === "string" && typeof sessionId === "string")
      listeners.get(sessionId)?.(method, fieldsAt(message, "params"))
    const call = typeof id === "number" ? calls.get(id) : undefined
    if (call === undefined || typeof id !== "number") return
    calls.delete(id)
    const failure = new BrowserFailed({ message: String(fieldsAt(message, "error").message) })
    Deferred.doneUnsafe(call, error === undefined ? Effect.succeed(fieldsAt(message, "result")) : Effect.fail(failure))
  }
  const decoder = new TextDecoder()
  let rest = ""
  output.on("data", (piece: Uint8Array) => {
    const texts = (rest + decoder.decode(piece, { stream: true })).split(end)
    rest = texts.pop() ?? ""
    for (const text of texts) take(text)
  })
  for (const stream of [input, output]) stream.on("error", over).on("close", over)
  child.on("error", over).on("exit", over)

  const call: Chromium["call"] = (method, params = {}, sessionId) =>
    Effect.suspend(() => {
      latest += 1
      const id = latest
      const answer = Deferred.makeUnsafe<Fields, BrowserFailed>()
      calls.set(id, answer)
      input.write(JSON.stringify({ id, method, params, sessionId }) + end)
      return Effect.onInterrupt(Deferred.await(answer), () => Effect.sync(() => calls.delete(id)))
    })
  const chromium: Chromium = {
    call,
    listen: (page, take) => {
      listeners.set(page, take)
      return () => listeners.delete(page)
    }
  }
  yield* call("Browser.getVersion").pipe(
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => new BrowserFailed({ message: `${path} does not answer.` })
    })
  )
  return chromium
})
