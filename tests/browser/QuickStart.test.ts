/**
 * A newcomer's trial: the commands of the README's quick start in an empty home, and the one file of the page to which it leads. It ends
 * with a payment that the customer confirmed by 3-D Secure, and a verified callback.
 */
import { writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import { Deferred, Effect } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { read, root } from "../../scripts/Workspace.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import { fences } from "../release/Fences.ts"
import { at, customer } from "./Browser.ts"

/** The commands of the blocks of the shell, without what is said about them. */
const commandsOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line) => line.replace(/ +#.*$/, ""))
  )

const [, section = ""] = /\n## Quick start\n([\s\S]*?)\n## /.exec(read("README.md")) ?? []
const page = read("docs/merchants/quick-start.md")
const commands = commandsOf(section)
const shop = fences(page).filter(({ name }) => name !== undefined)
/** The first terminal ends with the gateway, which goes on. The second one begins in the folder of the first. */
const [first, last = ""] = [commands.slice(0, -1), commands.at(-1)]

/** A terminal: a shell that is in a folder and has what a newcomer has. */
const terminal = (
  script: string,
  home: string,
  ready: (line: string) => string | undefined,
  onLine = (_: string) => {}
) =>
  ChildProcess.start({
    program: "bash",
    args: ["-ec", script],
    place: { cwd: root },
    // A port and a folder of its own; npm's cache spares a download, and is no part of what a newcomer needs.
    env: { HOME: home, PAY_DATA: join(home, "gateway"), PAY_PORT: "0", npm_config_cache: join(homedir(), ".npm") },
    ready,
    onLine
  })

it("the page has the commands of the README", () => assert.deepStrictEqual(commandsOf(page), commands))

it.live(
  "leads from the README to a payment with 3-D Secure and a verified callback, in 8 commands and 3 files at most",
  () =>
    Effect.gen(function* () {
      assert.isAtMost(commands.length, 8)
      assert.isAtMost(shop.length, 3)
      const home = yield* temporaryFolder
      const exported: Array<string> = []
      yield* terminal(
        first.join("\n"),
        home,
        (line) => (line.includes("Ctrl-C stops it") ? line : undefined),
        (line) => exported.push(...(/^ *export .*$/.exec(line) ?? []))
      )
      const port = String(yield* freePort)
      for (const { code, name = "" } of shop) writeFileSync(join(home, "my-shop", name), code.replaceAll("3000", port))
      const printed: Array<string> = []
      const paid = yield* Deferred.make<void>()
      const onLine = (line: string) => {
        if (/^(?:paid|callback for) /.test(line) && printed.push(line) === 2) Deferred.doneUnsafe(paid, Effect.void)
      }
      const script = ["cd ~/my-shop", ...exported, last].join("\n")
      const opened = yield* terminal(script, home, (line) => /^open (.*)$/.exec(line)?.[1], onLine)
      const browser = yield* customer()
      yield* at(browser, () => browser.goto(opened.ready))
      yield* at(browser, () => browser.getByLabel("Password").fill(password))
      yield* at(browser, () => browser.getByRole("button", { name: "Confirm" }).click())
      yield* at(browser, () => browser.getByText("Thank you.").waitFor())
      yield* Deferred.await(paid)
      assert.match(printed.toSorted().join("\n"), /^callback for INV-\d+: approved\npaid as order \d+$/)
    }).pipe(Effect.scoped)
)
