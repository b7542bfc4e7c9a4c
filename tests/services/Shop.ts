/** A shop in a process of its own, which is killed and started again, behind a gate; and its gateway, behind another. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Random } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as Credentials from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Gate from "./Gate.ts"
import type { Moment } from "./processes/killAt.ts"

/** A project in which the packed packages are installed, and its program. */
export interface Project {
  readonly folder: string
  readonly main: string
  /** Number of lines of the shop. */
  readonly lines: number
}

const gatewayProgram = join(import.meta.dirname, "../../gateway/program/src/main.ts")
const killAt = join(import.meta.dirname, "processes/killAt.ts")

/** Starts a gateway, and makes the place of a shop, in a folder. */
export const make = Effect.fnUntraced(function* ({ folder: project, main }: Project, folder: string) {
  const data = { gateway: join(folder, "gateway"), shop: join(folder, "shop") }
  for (const each of Object.values(data)) mkdirSync(each, { mode: 0o700, recursive: true })
  writeFileSync(join(data.shop, "key.pem"), Credentials.privateKeyPem)
  const ports = { gateway: yield* freePort, shop: yield* freePort }
  const gates = { gateway: yield* Gate.make(ports.gateway), shop: yield* Gate.make(ports.shop) }
  const gateway = yield* GatewayProcess.make({
    ...{ name: "gateway", port: ports.gateway, program: gatewayProgram },
    env: { PAY_DATA: data.gateway, PAY_PUBLIC_BASE_URL: gates.gateway.url }
  })
  yield* gateway.start
  const lines: Array<string> = []
  let onLine = (_line: string): void => undefined
  let current: ChildProcess.ChildProcess<true> | undefined
  yield* Effect.addFinalizer(() => Effect.suspend(() => current?.kill ?? Effect.void))

  /** Starts it, and waits until it takes orders. */
  const start = Effect.fnUntraced(function* (moment?: Moment) {
    const child = yield* ChildProcess.launch({
      args: ["--disable-warning=ExperimentalWarning", "--import", killAt, join(project, main)],
      place: { cwd: data.shop },
      env: {
        PORT: String(ports.shop),
        SHOP_URL: gates.shop.url,
        SHOP_SECRET: "a secret of the shop",
        SHOP_FLOWS_KEY: Buffer.alloc(32, 7).toString("base64"),
        PAY_BASE_URL: gates.gateway.url,
        PAY_LOGIN: Credentials.login,
        PAY_CONTROL_KEY: Credentials.controlKey,
        PAY_PRIVATE_KEY_FILE: join(data.shop, "key.pem"),
        PAY_ENDPOINT_ID: Credentials.endpoints.usd,
        PAY_TIMEOUT: "3 seconds",
        PAY_READ_TIMEOUT: "3 seconds",
        ...(moment === undefined ? {} : { KILL_AT: JSON.stringify(moment) })
      },
      ready: (line) => /listening/i.test(line) || undefined,
      onLine: (line) => {
        lines.push(line)
        onLine(line)
      }
    })
    current = child
    yield* child.ready
    return child
  })

  /** Kills the gateway, and starts it again after a moment. */
  const killGateway = Effect.gen(function* () {
    yield* gateway.kill
    yield* Effect.sleep(yield* Random.nextIntBetween(0, 800))
    yield* gateway.start
  })

  return {
    data,
    gates,
    gateway,
    killGateway,
    lines,
    start,
    url: `http://127.0.0.1:${ports.shop}`,
    listen: (listener: (line: string) => void) => {
      onLine = listener
    }
  }
})

export type Shop = Effect.Success<ReturnType<typeof make>>
