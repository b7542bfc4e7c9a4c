/** Opens the user's browser: the one of BROWSER, or the desktop's default if the program runs at a terminal of the desktop. */
import { spawn } from "node:child_process"
import { variable, variables } from "./Environment.ts"
import * as Io from "./Io.ts"

export interface Desktop {
  /** Commands separated by `:`; the first that can be started is used. `%s` stands for the address. Quotes protect spaces. */
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

/**
 * Returns the commands that can open the address, in order of preference; none if it is not an address of the web. No shell
 * interprets them.
 */
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

/** Returns the environment of the browser, without the variables of this program, which may contain keys. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables()).filter(([name]) => !name.startsWith("PAY_")))

/** Opens the address if a browser can be started. The address is printed in any case. */
export const open = (url: string): void => start(commands(url, desktop()))

const start = ([command, ...others]: ReadonlyArray<Words>): void => {
  const [program, ...args] = command ?? []
  if (program === undefined) return
  const child = spawn(program, args, { stdio: "ignore", detached: true, env: environment() })
  child.on("error", () => start(others))
  child.unref()
}
