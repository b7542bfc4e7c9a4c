/** The sample shop in a process of its own, and a customer without a browser. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert } from "@effect/vitest"
import { Deferred, Effect, Schedule } from "effect"
import * as HostedPage from "../system/HostedPage.ts"
import { controlKey, endpoints, login } from "../system/TestGateway.ts"

export interface ShopProcess {
  readonly url: string
  /** `kill -9`: nothing of it runs any more when this completes. */
  readonly kill: Effect.Effect<void>
}

interface Options {
  readonly dataDirectory: string
  /** As the one before, so that customers find it again. */
  readonly port: string
  readonly gateway: string
  /** Everything that it prints. */
  readonly printed: Array<string>
}

/** Open, until it is killed or the scope ends. */
export const open = ({ dataDirectory, gateway, port, printed }: Options) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const listening = yield* Deferred.make<string>()
      const over = yield* Deferred.make<void>()
      const child = spawn(process.execPath, [join(import.meta.dirname, "../../apps/shop/src/main.ts")], {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          SHOP_DATA: dataDirectory,
          SHOP_PORT: port,
          SHOP_ENDPOINT_HOSTED: endpoints.usd,
          SHOP_ENDPOINT_CARD: endpoints.threedsMerchant,
          SHOP_ENDPOINT_KEPT: endpoints.usd,
          PAY_BASE_URL: gateway,
          PAY_LOGIN: login,
          PAY_CONTROL_KEY: controlKey
        }
      })
      for (const stream of [child.stdout, child.stderr]) {
        createInterface(stream).on("line", (text) => {
          printed.push(text)
          const url = /open at (\S+)/.exec(text)?.[1]
          if (url !== undefined) Deferred.doneUnsafe(listening, Effect.succeed(url))
        })
      }
      child.on("exit", () => {
        Deferred.doneUnsafe(listening, Effect.die(new Error(`the shop did not open: ${printed.join("\n")}`)))
        Deferred.doneUnsafe(over, Effect.void)
      })
      const url = yield* Deferred.await(listening)
      const shop: ShopProcess = {
        url,
        kill: Effect.andThen(
          Effect.sync(() => void child.kill("SIGKILL")),
          Deferred.await(over)
        )
      }
      return shop
    }),
    ({ kill }) => kill
  )

export const details = {
  email: "ada@customer.example",
  phone: "+442079460000",
  address1: "12 St James's Square",
  city: "London",
  zip_code: "SW1Y 4JH",
  country: "GB"
}

/** Gets the form and posts it; gives the address of the order's page. */
export const buy = Effect.fnUntraced(function* (
  { url }: ShopProcess,
  product: string,
  form: Readonly<Record<string, string>>
) {
  const page = yield* HostedPage.visit(`${url}/buy/${product}`)
  const cookie = String(page.headers["set-cookie"]).split(";")[0] ?? ""
  const answer = yield* HostedPage.visit(`${url}/buy/${product}`, {
    headers: { cookie },
    form: { ...page.hidden, ...details, ...form }
  })
  assert.strictEqual(answer.status, 303, answer.title)
  return `${url}${answer.headers.location}`
})

/** Looks at a page until it is the one that is waited for. */
export const until = (url: string, isIt: (page: HostedPage.Page) => boolean) =>
  HostedPage.visit(url).pipe(
    Effect.repeat({ until: isIt, schedule: Schedule.spaced("100 millis") }),
    Effect.timeout("60 seconds"),
    Effect.orDie
  )
