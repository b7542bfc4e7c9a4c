/** The user's browser: of BROWSER, or the desktop's own where a person sits at a terminal of it. */
import { spawn } from "node:child_process"
import { variable, variables } from "./Environment.ts"
import * as Io from "./Io.ts"

export interface Desktop {
  /** Commands with `:` between them, the first that can be started; `%s` stands for the address, quotes keep spaces. */
  readonly browser: string | undefined
  readonly platform: string
  readonly hasDisplay: boolean
  readonly hasTerminal: boolean
}

export const desktop = (): Desktop => ({
  browser: variable("BROWSER"),
  platform: process.platform,
  hasDisplay: (variable("DISPLAY") ?? variable("WAYLAND_DISPLAY")) !== undefined,
  hasTerminal: Io.stderr().isTTY === true
})

type Words = ReadonlyArray<string>

const word = /"([^"]*)"|'([^']*)'|[^\s"']+/g

/** What may be started to open the address; nothing for one that is no web page. No shell reads any of it. */
export const commands = (
  url: string,
  { browser, hasDisplay, hasTerminal, platform }: Desktop
): ReadonlyArray<Words> => {
  const href = URL.parse(url)?.href ?? ""
  if (!/^https?:/.test(href)) return []
  if (browser !== undefined) {
    return browser.split(":").flatMap((command) => {
      const words = [...command.matchAll(word)].map(([plain, double, single]) => double ?? single ?? plain)
      if (words.length === 0) return []
      return [command.includes("%s") ? words.map((word) => word.replace("%s", () => href)) : [...words, href]]
    })
  }
  if (!hasTerminal) return []
  if (platform === "darwin") return [["open", href]]
  return platform === "linux" && hasDisplay ? [["xdg-open", href]] : []
}

/** Keys are nobody else's. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables()).filter(([name]) => !name.startsWith("PAY_")))

/** Opens the address, or does nothing: it is printed, too. */
export const open = (url: string): void => start(commands(url, desktop()))

const start = ([command, ...others]: ReadonlyArray<Words>): void => {
  const [program, ...args] = command ?? []
  if (program === undefined) return
  const child = spawn(program, args, { stdio: "ignore", detached: true, env: environment() })
  child.on("error", () => start(others))
  child.unref()
}
