import { spawn } from "node:child_process"
import { createServer, type Server } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import * as FreePort from "../src/process/FreePort.ts"
import * as ListeningProbe from "../src/shop/ListeningProbe.ts"
import { Shop } from "../src/shop/Shop.ts"
import * as TestShop from "./TestShop.ts"

const start = Effect.flatMap(Shop, (shop) => shop.start)

const url = (port: number) => new URL(`http://127.0.0.1:${port}`)

interface Row {
  /** The shop, as odd.mjs names it. */
  readonly shop: string
  readonly url?: string
  readonly start?: string
  readonly command?: ReadonlyArray<string>
  readonly message: RegExp
  readonly output?: string
}

/** Shops that cannot be tested, and what is said about them. */
const wrong: Readonly<Record<string, Row>> = {
  "never listens": {
    shop: "silent",
    message: /^The shop is not ready at http:\/\/127\.0\.0\.1:\d+ after 3 seconds: it does not listen\.$/
  },
  "exits at once": {
    shop: "exits",
    start: "30 seconds",
    message: /exited with code 3 before it listened at http/,
    output: "connecting to the database\nno database for 444455******1111"
  },
  "ends well at once": {
    shop: "ends",
    start: "30 seconds",
    message: /exited with code 0 before it listened at .*: start the shop itself\.$/
  },
  "listens on another port": {
    shop: "elsewhere",
    message: /it does not listen\. It listens on port \d+: is "url" right\?$/
  },
  "listens at the other family of addresses": {
    shop: "plain",
    url: "http://[::1]:{port}",
    message: /It listens at http:\/\/127\.0\.0\.1:\d+: write "url": "http:\/\/127\.0\.0\.1:\d+"\.$/
  },
  "takes connections and never answers": {
    shop: "hangs",
    message: /after 3 seconds: it did not answer in time, asked for \/\.$/
  },
  "answers 503": { shop: "unready", message: /after 3 seconds: it answers 503 to GET \/\.$/ },
  "speaks TLS": {
    shop: "tls",
    start: "30 seconds",
    message: /^The shop answers with TLS: write "url": "https:\/\/127\.0\.0\.1:\d+", or start it without TLS\.$/
  },
  "speaks no TLS": {
    shop: "plain",
    start: "30 seconds",
    url: "https://127.0.0.1:{port}",
    message: /^The shop answers without TLS: write "url": "http:\/\/127\.0\.0\.1:\d+"\.$/
  },
  "is not installed": {
    shop: "",
    command: ["no-such-program"],
    message: /^The shop cannot be started: no-such-program is not installed, or not in PATH\.$/
  },
  "is one word with blanks, as for a shell": {
    shop: "",
    command: ["node shop.mjs"],
    message: /^The shop cannot be started: "node shop\.mjs" is no program: give the program and its arguments as words/
  },
  "may not be executed": {
    shop: "",
    command: [`${TestShop.folder}/odd.mjs`],
    message: /^The shop cannot be started: .*odd\.mjs may not be executed: chmod \+x\.$/
  }
}

const odd = ({ command, shop, start = "3 seconds", url }: Row) =>
  TestShop.stopped(
    { start, ...(url === undefined ? {} : { url }) },
    command ?? TestShop.node("odd.mjs", shop, "{port}")
  )

describe.concurrent("a shop is refused that", () => {
  it.live.each(Object.entries(wrong))("%s", ([, row]) =>
    Effect.gen(function* () {
      const { message, output } = yield* Effect.flip((yield* Shop).start)
      expect(message).toMatch(row.message)
      if (row.output !== undefined) expect(output).toBe(row.output)
    }).pipe(Effect.provide(odd(row)))
  )

  it.live.each(["127.0.0.1", "[::1]"])("has a port that is taken, with its url at %s", (host) =>
    Effect.gen(function* () {
      const port = yield* FreePort.find
      yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          const server = createServer().listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const shop = TestShop.stopped({ url: `http://${host}:${port}` }, TestShop.node("shop.mjs", "{port}"))
      const { message } = yield* Effect.flip(Effect.provide(start, shop))
      expect(message).toMatch(
        /^Something else listens at http:\/\/127\.0\.0\.1:\d+ already(: process \d+: .*)?\. End it, or give the shop another port\.$/
      )
    })
  )

  it.live("has the port of another crash test, whose shop does not run at this moment", () =>
    Effect.gen(function* () {
      const changes = { url: url(yield* FreePort.find).origin }
      const shop = () => TestShop.stopped(changes, TestShop.node("shop.mjs", "{port}"))
      yield* Effect.gen(function* () {
        yield* start
        yield* (yield* Shop).kill
        const { message } = yield* Effect.flip(Effect.provide(start, shop(), { local: true }))
        expect(message).toMatch(
          /^Another crash test has port \d+ now\. Wait for its end, or let each have a port of its own: "url": "http:\/\/127\.0\.0\.1:\{port\}"\.$/
        )
      }).pipe(Effect.provide(shop(), { local: true }))
      yield* Effect.provide(start, shop(), { local: true })
    })
  )
})

describe("steps in a browser", () => {
  const steps = [{ open: "/{order}/{amount}" }]
  const shop = TestShop.stopped({ buy: { customer: steps } })
  it.live.each<readonly [why: string, environment: Readonly<Record<string, string>>, message: RegExp]>([
    [
      "without a browser",
      { PATH: "/nowhere" },
      /none is installed\. Install it, on Debian with: apt-get install chromium\. Or set PAY_CHROMIUM/
    ],
    [
      "with a browser that is not there",
      { PAY_CHROMIUM: "/nowhere/chromium" },
      /^PAY_CHROMIUM names \/nowhere\/chromium, which is not a program\.$/
    ],
    ["with a program that is no browser", { PAY_CHROMIUM: "/bin/true" }, /^\/bin\/true has ended\.$/]
  ])("%s", ([, environment, message]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip((yield* Shop).start)
      expect(failure.message).toMatch(message)
    }).pipe(
      Effect.provide(shop),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment))
    )
  )
})

const started = ["plain", "forks", "leaves", "unmarked", "daemon", "stubborn", "floods"]
/** Only Linux tells who listens on a port. */
const ofLinux = process.platform === "linux" ? ["orphan"] : []

describe("nothing remains of a shop that", () => {
  it.live.each([...started, ...ofLinux])("%s, after it was killed, and at the end", (shop) =>
    Effect.gen(function* () {
      const port = yield* FreePort.find
      yield* Effect.gen(function* () {
        const { isAlive, kill, start } = yield* Shop
        yield* start
        expect(yield* isAlive).toBe(true)
        yield* kill
        // It was killed, and has not ended by itself.
        expect(yield* isAlive).toBe(true)
        expect(yield* ListeningProbe.listens(url(port))).toBe(false)
        yield* start
      }).pipe(Effect.provide(odd({ shop, url: url(port).origin, start: "30 seconds", message: /^$/ })))
      expect(yield* ListeningProbe.listens(url(port))).toBe(false)
    })
  )

  it.live("fails the test with a defect", () =>
    Effect.gen(function* () {
      const port = yield* FreePort.find
      const defect = Effect.andThen(
        Effect.flatMap(Shop, ({ start }) => start),
        Effect.die("broken")
      )
      yield* Effect.exit(
        Effect.provide(defect, odd({ shop: "leaves", start: "30 seconds", url: url(port).origin, message: /^$/ }))
      )
      expect(yield* ListeningProbe.listens(url(port))).toBe(false)
    })
  )
})

const runningShop = join(import.meta.dirname, "RunningShop.ts")

const ends: ReadonlyArray<readonly [how: string, signal?: NodeJS.Signals]> = [
  ["SIGINT", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGHUP"],
  ["SIGKILL", "SIGKILL"],
  ["SIGKILL of one whose shop has left its group", "SIGKILL"],
  ["defect"],
  ["exit"],
  ["throw"]
]

describe.concurrent("nothing remains of a shop when the crash test ends by", () => {
  it.live.each(ends)("%s", ([how, signal]) =>
    Effect.gen(function* () {
      const port = yield* FreePort.find
      const child = spawn(
        process.execPath,
        [runningShop, how, url(port).origin, ...(/left/.test(how) ? ["leaves"] : [])],
        {
          stdio: ["ignore", "pipe", "ignore"]
        }
      )
      yield* Effect.callback<void>((resume) => {
        child.stdout.once("data", () => resume(Effect.void))
      })
      if (signal !== undefined) child.kill(signal)
      yield* Effect.repeat(Effect.delay(ListeningProbe.listens(url(port)), "20 millis"), {
        while: (listens) => listens
      })
      child.kill("SIGKILL")
    })
  )
})

describe("two crash tests at once", () => {
  it.live("have shops of their own, each of which is killed alone", () =>
    Effect.gen(function* () {
      const services = yield* Effect.all([0, 1].map(() => Layer.build(TestShop.layer())))
      const [one, other] = services.map((each) => Context.get(each, Shop))
      if (one === undefined || other === undefined) return yield* Effect.die("there are two")
      yield* one.kill
      expect(yield* other.isAlive).toBe(true)
      expect(yield* other.buy(TestShop.order("a"), () => Effect.void)).toBe("paid")
      yield* one.start
      expect((yield* one.ask(TestShop.order("a"))).paid).toBe("no")
    })
  )
})

describe("a shop that ends by itself", () => {
  it.live("is seen, with its last lines", () =>
    Effect.gen(function* () {
      const shop = yield* Shop
      yield* shop.start
      expect(yield* shop.buy(TestShop.order("a"), () => Effect.void)).toBe("paid")
      yield* Effect.repeat(Effect.delay(shop.isAlive, "10 millis"), { while: (isAlive) => isAlive })
      expect(yield* shop.output).toBe("out of memory\nThe shop exited with code 9.")
      yield* shop.start
      expect(yield* shop.isAlive).toBe(true)
    }).pipe(
      Effect.provide(
        TestShop.stopped({ buy: { request: "POST /{order}?{amount}" } }, TestShop.node("odd.mjs", "falls", "{port}"))
      )
    )
  )
})
