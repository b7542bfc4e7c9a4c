import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DocsSite from "../src/DocsSite.ts"

const folder = mkdtempSync(join(tmpdir(), "pay-site-"))
const site = join(folder, "site")
mkdirSync(join(site, "operations"), { recursive: true })
writeFileSync(join(site, "index.html"), "the overview")
writeFileSync(join(site, "client.html"), "the client")
writeFileSync(join(site, "operations/index.html"), "all operations")
writeFileSync(join(folder, "secret.txt"), "not of the site")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The whole answer to a request whose path is sent as it is: `fetch` would resolve the dots. */
const answer = (base: string, path: string, method = "GET") =>
  Effect.callback<string>((resume) => {
    let text = ""
    const socket = createConnection(Number(new URL(base).port), "127.0.0.1", () => {
      socket.end(`${method} ${path} HTTP/1.1\r\nHost: docs\r\nConnection: close\r\n\r\n`)
    })
    socket.on("data", (data) => (text += String(data)))
    socket.on("close", () => resume(Effect.succeed(text)))
  })

describe("the documentation site", () => {
  it.effect.each([
    ["GET", "/", 200, "the overview"],
    ["GET", "/operations/", 200, "all operations"],
    ["GET", "/operations/index.html?a=b", 200, "all operations"],
    ["GET", "/operations", 308, "location: ./operations/"],
    ["GET", "/client", 200, "the client"],
    ["GET", "/client?a=b", 200, "the client"],
    ["GET", "/client/", 404, "Go to the overview"],
    ["GET", "/gone.html", 404, "Not found"],
    ["GET", "/../secret.txt", 404, "Not found"],
    ["GET", "/%2e%2e/secret.txt", 404, "Not found"],
    ["GET", "/..%2fsecret.txt", 404, "Not found"],
    ["GET", "/%", 404, "Not found"],
    ["GET", "/%ff", 404, "Not found"],
    ["GET", "/index.html%00", 404, "Not found"],
    ["POST", "/", 405, "allow: GET, HEAD"]
  ] as const)("answers %s %s with %i", ([method, path, status, content]) =>
    Effect.gen(function* () {
      const url = yield* DocsSite.open({ port: 0, site })
      const text = yield* answer(url, path, method)
      assert.include(text, `HTTP/1.1 ${status} `)
      assert.include(text, content)
    })
  )
  it.effect("reports that its port is in use", () =>
    Effect.gen(function* () {
      const { port } = new URL(yield* DocsSite.open({ port: 0, site }))
      const { message } = yield* Effect.flip(DocsSite.open({ port: Number(port), site }))
      assert.match(message, /EADDRINUSE.*; choose another port with DOCS_PORT, 0 for any$/)
    })
  )
  it("is available after it was built", () => {
    expect(DocsSite.isBuilt(site)).toBe(true)
    expect(DocsSite.isBuilt(join(site, "operations/deeper"))).toBe(false)
  })
})
