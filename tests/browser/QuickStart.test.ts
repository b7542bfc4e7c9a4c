/**
 * A newcomer's trial: the commands of the README's quick start in an empty home, and the one file of the page to which it leads. It ends
 * with a payment that the customer confirmed by 3-D Secure, and a verified callback.
 */
import { mkdirSync, writeFileSync } from "node:fs"
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

/** The commands of the first block of the shell in a section. */
const commandsOf = (text: string, section: string): ReadonlyArray<string> => {
  const [, after = ""] = text.split(`\n## ${section}\n`)
  const [, block = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(after) ?? []
  return block.trim().split("\n")
}

const [begin = "", ...others] = commandsOf(read("README.md"), "Quick start")
const last = others.at(-1) ?? ""
const shop = fences(read("docs/merchants/quick-start.md")).filter(({ name }) => name !== undefined)

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
    env: { HOME: home, PAY_DATA: join(home, "gateway"), PAY_PORT: "0" },
    ready,
    onLine
  })

it.live(
  "leads from the README to a payment with 3-D Secure and a verified callback, in 8 commands and 3 files at most",
  () =>
    Effect.gen(function* () {
      assert.isAtMost([begin, ...others].length, 8)
      assert.isAtMost(shop.length, 3)
      const home = yield* temporaryFolder
      const exported: Array<string> = []
      yield* terminal(
        begin,
        home,
        (line) => (line.includes("Ctrl-C stops it") ? line : undefined),
        (line) => exported.push(...(/^ *export .*$/.exec(line) ?? []))
      )
      const port = String(yield* freePort)
      mkdirSync(join(home, "files"))
      for (const { code, name = "" } of shop) writeFileSync(join(home, "files", name), code.replaceAll("3000", port))
      const printed: Array<string> = []
      const paid = yield* Deferred.make<void>()
      const onLine = (line: string) => {
        if (/^(?:paid|callback for) /.test(line) && printed.push(line) === 2) Deferred.doneUnsafe(paid, Effect.void)
      }
      const script = [...others.slice(0, -1), `cp ~/files/* .`, ...exported, last].join("\n")
      const opened = yield* terminal(script, home, (line) => /^open (.*)$/.exec(line)?.[1], onLine)
      const page = yield* customer()
      yield* at(page, () => page.goto(opened.ready))
      yield* at(page, () => page.getByLabel("Password").fill(password))
      yield* at(page, () => page.getByRole("button", { name: "Confirm" }).click())
      yield* at(page, () => page.getByText("Thank you.").waitFor())
      yield* Deferred.await(paid)
      assert.match(printed.toSorted().join("\n"), /^callback for INV-\d+: approved\npaid as order \d+$/)
    }).pipe(Effect.scoped)
)
