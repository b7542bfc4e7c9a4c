/** The customer's browser: opened by hand or by the program, at each kind of issuer's page. */
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as WebBrowser from "../src/terminal/WebBrowser.ts"
import { browse } from "./Browse.ts"
import { card, challenged, endpoints, form, methodFirst, payFlow, stopAt, version1 } from "./FlowCommand.ts"
import * as StubGateway from "./StubGateway.ts"
import * as TestGateway from "./TestGateway.ts"

const displayed = /Open in a browser: (\S+)\n/g

const browser = `"${process.execPath}" '${join(import.meta.dirname, "OpenedBrowser.ts")}'`

/** Starts a server that receives a browser's reports. */
const reporting = (hear: (report: URLSearchParams) => void) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      StubGateway.start((response, { form }) => {
        response.end()
        hear(form)
      })
    ),
    ({ close }) => Effect.promise(close)
  )

layer(TestGateway.layer, { excludeTestServices: true, timeout: 120_000 })("the customer's browser", (it) => {
  const rows = [
    ["version 2, the gateway's pages", endpoints.threeds3dsGateway, challenged],
    ["version 2, the merchant's uploads", endpoints.threedsMerchant, challenged],
    ["with a method page first, the merchant's uploads", endpoints.threedsMerchant, methodFirst],
    ["version 1.0.2, the gateway's pages", endpoints.threeds3dsGateway, version1],
    ["version 1.0.2, the merchant's uploads", endpoints.threedsMerchant, version1]
  ] as const
  for (const [index, [name, endpoint, credit_card_number]] of rows.entries()) {
    const args = ["sale", "--form=-", `--endpoint-id=${endpoint}`]
    const input = (order: string) => form("sale", { client_orderid: order, ...card, credit_card_number })

    it.effect(`opened by hand, returns from the issuer: ${name}`, () =>
      Effect.gen(function* () {
        const values: Array<Promise<string>> = []
        const run = yield* payFlow(args, {
          input: input(`hand-${index}`),
          onError: (err) => {
            const url = displayed.exec(err)?.[1]
            displayed.lastIndex = 0
            if (url !== undefined && values.length === 0) values.push(browse(url))
          }
        })
        assert.strictEqual(run.code, 0, run.err)
        assert.strictEqual(run.err.match(displayed)?.length, 1, "one address is enough")
        assert.include((yield* Effect.promise(() => Promise.all(values))).join(), "The terminal tells")
      })
    )

    it.effect(`opened by the program, returns from the issuer: ${name}`, () =>
      Effect.gen(function* () {
        const { promise: report, resolve } = Promise.withResolvers<URLSearchParams>()
        const { url } = yield* reporting((message) => {
          if (message.has("page")) resolve(message)
        })
        const run = yield* payFlow(args, {
          input: input(`program-${index}`),
          env: { BROWSER: `/nowhere:${browser} ${new URL(url).port} %s` }
        })
        assert.strictEqual(run.code, 0, run.err)
        const observed = yield* Effect.promise(() => report)
        assert.include(observed.get("page"), "The terminal tells")
        assert.strictEqual(observed.get("settings"), "")
      }).pipe(Effect.scoped)
    )
  }

  it.effect("is opened once, and not with --no-open", () =>
    Effect.gen(function* () {
      const { promise: report, resolve } = Promise.withResolvers<URLSearchParams>()
      const opened: Array<string> = []
      const { url } = yield* reporting((message) => {
        if (message.has("opened")) opened.push(String(message.get("opened")))
        else resolve(message)
      })
      const env = { BROWSER: `${browser} ${new URL(url).port}` }
      const args = ["sale", "--form=-", `--endpoint-id=${endpoints.threedsMerchant}`]
      const input = (order: string) => form("sale", { client_orderid: order, ...card, credit_card_number: challenged })
      const unopened = yield* payFlow([...args, "--no-open"], { input: input("shut"), env, ...stopAt(displayed) })
      assert.match(unopened.err, displayed)
      const run = yield* payFlow(args, { input: input("open"), env })
      assert.strictEqual(run.code, 0, run.err)
      yield* Effect.promise(() => report)
      assert.strictEqual(opened.length, 1)
    }).pipe(Effect.scoped)
  )
})

describe("the command that opens an address", () => {
  const url = "https://gateway.example/a?b=%s"
  const xdgOpen = ["xdg-open", url]
  const macOpen = ["open", url]
  const desktop = { browser: undefined, platform: "linux", hasDisplay: true, hasTerminal: true }
  const rows: ReadonlyArray<
    readonly [string, string, Partial<WebBrowser.Desktop>, ReadonlyArray<ReadonlyArray<string>>]
  > = [
    ["is xdg-open on a Linux desktop", url, {}, [xdgOpen]],
    ["is open on a Mac", url, { platform: "darwin", hasDisplay: false }, [macOpen]],
    ["is absent without a display", url, { hasDisplay: false }, []],
    ["is absent without a terminal", url, { hasTerminal: false }, []],
    ["is BROWSER, also without a terminal", url, { browser: "w x", hasTerminal: false }, [["w", "x", url]]],
    [
      "keeps quoted words of BROWSER",
      url,
      { browser: `open -a 'My Browser' "%s"` },
      [["open", "-a", "My Browser", url]]
    ],
    [
      "has the address at each placeholder of BROWSER, or at its end",
      url,
      { browser: "a -u=%s -n:b" },
      [
        ["a", `-u=${url}`, "-n"],
        ["b", url]
      ]
    ],
    ["is absent if BROWSER names no command", url, { browser: " : " }, []],
    ["is absent for an address that looks like a flag", "--version", { browser: "w" }, []],
    ["is absent for the address of a file", "file:///etc/passwd", { browser: "w" }, []]
  ]
  for (const [name, address, changes, expected] of rows) {
    it(name, () => assert.deepStrictEqual(WebBrowser.commands(address, { ...desktop, ...changes }), expected))
  }
})
