/** The documentation site in a browser: it loads nothing from other machines, and its search, its tabs and its layout work. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { at, customer } from "./Browser.ts"
import * as Views from "./Views.ts"

const schemes = (["light", "dark"] as const).map((colorScheme) => ({ width: 1280, colorScheme }))
const program = join(import.meta.dirname, "../../tools/docs/src/main.ts")

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

/** The address of the site, which is built once into a folder of its own. */
class Site extends Context.Service<Site, string>()("tests/browser/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "pay-site-"))
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [program, "--out", folder], {
            env: { ...process.env, DOCS_PORT: "0" },
            stdio: "pipe"
          })
        ),
        (process) =>
          Effect.sync(() => {
            process.kill()
            rmSync(folder, { recursive: true, force: true })
          })
      )
      return yield* address(child)
    })
  )
}

layer(Site.layer, { excludeTestServices: true })("the documentation site", (it) => {
  it.effect("fits a window of 320 pixels: long names, tabs, tables and diagrams", () =>
    Effect.gen(function* () {
      const url = yield* Site
      const page = yield* customer({ javaScriptEnabled: false })
      yield* at(page, () => page.setViewportSize({ width: 320, height: 800 }))
      const wide: Array<string> = []
      for (const path of [
        "index",
        "merchants/callbacks",
        "merchants/lifecycle",
        "merchants/cli",
        "merchants/operations/transfer",
        "packages/conformance"
      ]) {
        yield* at(page, () => page.goto(`${url}/${path}.html`))
        wide.push(...(yield* at(page, Views.excess)).map((excess) => `${path}: ${excess}`))
      }
      assert.deepStrictEqual(wide, [])
    })
  )

  it.effect("searches, keeps the chosen programming language, draws states, and is accessible in light and dark", () =>
    Effect.gen(function* () {
      const url = yield* Site
      const page = yield* customer()
      yield* at(page, () => page.goto(`${url}/merchants/operations/sale.html`))
      yield* at(page, () => page.getByRole("tab", { name: "Python" }).click())
      yield* at(page, () => page.getByRole("tabpanel").getByText("import hashlib").waitFor())
      assert.isFalse(yield* at(page, () => page.getByText("<?php").isVisible()))

      yield* at(page, () => page.keyboard.press("/"))
      yield* at(page, () => page.keyboard.type("webhook-signature"))
      yield* at(page, () => page.getByRole("option", { name: "Callbacks › webhook-signature" }).waitFor())
      yield* at(page, () => page.keyboard.press("Enter"))
      yield* at(page, () => page.waitForURL(`${url}/merchants/callbacks.html#webhook-signature`))
      // The language that was chosen on another page.
      yield* at(page, () => page.getByRole("tabpanel").getByText("hmac.compare_digest(control").waitFor())

      yield* at(page, () => page.goto(`${url}/merchants/lifecycle.html`))
      yield* at(page, () => page.getByRole("img", { name: "authorized to settled: settle" }).waitFor())
      const flaws = () => Views.flawsIn(page, `documentation-${page.url().split("/").at(-1)}`, schemes)
      assert.deepStrictEqual(yield* at(page, flaws), [])
      yield* at(page, () => page.goto(`${url}/merchants/operations/sale.html`))
      assert.deepStrictEqual(yield* at(page, flaws), [])
    })
  )
})
