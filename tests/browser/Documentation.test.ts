/** The documentation site in a browser: it loads nothing from elsewhere, its search finds, its tabs switch, and everyone can use it. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Accessible from "./Accessible.ts"
import { at, Browser, customer } from "./Browser.ts"
import * as Pictures from "./Pictures.ts"

const program = join(import.meta.dirname, "../../apps/docs/src/main.ts")

const address = (child: ChildProcess) =>
  Effect.callback<string>((resume) => {
    const lines: Array<string> = []
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface(stream).on("line", (line) => {
        lines.push(line)
        const url = /is at (http:\/\/[\w.]+:\d+)/.exec(line)?.[1]
        if (url !== undefined) resume(Effect.succeed(url))
      })
    }
    child.on("exit", () => resume(Effect.die(new Error(lines.join("\n")))))
  })

/** Builds the site into a folder of its own and serves it. */
const site = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "pay-site-"))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, "--out", folder], { env: { ...process.env, DOCS_PORT: "0" }, stdio: "pipe" })
    ),
    (process) =>
      Effect.sync(() => {
        process.kill()
        rmSync(folder, { recursive: true, force: true })
      })
  )
  return yield* address(child)
})

layer(Browser.layer, { excludeTestServices: true })("the documentation site", (it) => {
  it.effect("fits every screen: long names, tabs, tables and diagrams", () =>
    Effect.gen(function* () {
      const url = yield* site
      const page = yield* customer({ javaScriptEnabled: false })
      yield* at(page, () => page.setViewportSize({ width: 320, height: 800 }))
      const wide: Array<string> = []
      for (const path of [
        "index",
        "callbacks",
        "lifecycle",
        "cli/orders",
        "operations/transfer",
        "packages/conformance"
      ]) {
        yield* at(page, () => page.goto(`${url}/${path}.html`))
        const tooWide = yield* at(page, () =>
          page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
        )
        if (tooWide > 0) wide.push(`${path}: ${tooWide} pixels wider than the window`)
      }
      assert.deepStrictEqual(wide, [])
      yield* at(page, () => page.goto(`${url}/operations/sale.html`))
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["light", 375],
        ["dark", 320]
      ] as const) {
        yield* at(page, () => page.emulateMedia({ colorScheme }))
        yield* at(page, () => page.setViewportSize({ width, height: 800 }))
        yield* at(page, () => Pictures.take(page, `documentation-${width}-${colorScheme}`))
      }
    })
  )

  it.effect("searches, switches languages and draws states, for everyone", () =>
    Effect.gen(function* () {
      const url = yield* site
      const page = yield* customer()
      yield* at(page, () => page.goto(`${url}/operations/sale.html`))
      yield* at(page, () => page.getByRole("tab", { name: "Python" }).click())
      yield* at(page, () => page.getByRole("tabpanel").getByText("import hashlib").waitFor())
      assert.isFalse(yield* at(page, () => page.getByText("<?php").isVisible()))

      yield* at(page, () => page.keyboard.press("/"))
      yield* at(page, () => page.keyboard.type("webhook-signature"))
      yield* at(page, () => page.getByRole("option", { name: "Callbacks › webhook-signature" }).waitFor())
      yield* at(page, () => page.keyboard.press("Enter"))
      yield* at(page, () => page.waitForURL(`${url}/callbacks.html#webhook-signature`))
      // The language that was chosen on another page.
      yield* at(page, () => page.getByRole("tabpanel").getByText("hmac.compare_digest(control").waitFor())

      yield* at(page, () => page.goto(`${url}/lifecycle.html`))
      yield* at(page, () => page.getByRole("img", { name: "authorized to settled: settle" }).waitFor())
      for (const path of ["lifecycle.html", "operations/sale.html"])
        for (const colorScheme of ["light", "dark"] as const) {
          yield* at(page, () => page.emulateMedia({ colorScheme }))
          yield* at(page, () => page.goto(`${url}/${path}`))
          const violations = yield* at(page, Accessible.violations)
          assert.deepStrictEqual(
            violations.map(({ help, nodes }) => `${path}, ${colorScheme}: ${help}: ${nodes[0]?.html}`),
            []
          )
        }
    })
  )
})
