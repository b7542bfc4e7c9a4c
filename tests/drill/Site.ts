/** Everything that a drill plays on: the bank, the database, two production gateways, nginx in front, and the merchants. */
import { randomBytes, randomUUID } from "node:crypto"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { root } from "../../scripts/Workspace.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as ServerAccount from "../postgres/ServerAccount.ts"
import * as Bank from "./Bank.ts"
import * as Database from "./Database.ts"
import * as Machine from "./Machine.ts"
import * as Merchants from "./Merchants.ts"
import * as NameServer from "./NameServer.ts"
import * as Nginx from "./Nginx.ts"
import * as Observations from "./Observations.ts"

export interface Site {
  /** The folder of the drill's files. */
  readonly folder: string
  readonly bank: Bank.Bank
  readonly database: Database.Database
  readonly gateways: ReadonlyArray<GatewayProcess.GatewayProcess>
  readonly merchants: Merchants.Merchants
  readonly nameServers: ReadonlyArray<NameServer.NameServer>
  /** What is seen of the gateways now; {@link observe} begins anew. */
  readonly observations: () => Observations.Observations
  readonly observe: Effect.Effect<void>
  /** Runs `pay` with the rights of an operator at the first gateway. */
  readonly operate: (...args: ReadonlyArray<string>) => ReturnType<typeof Database.run>
}

const program = join(root, "gateway/program/src/Production.ts")
const soon = Schedule.spaced("100 millis")

const key = () => randomBytes(32).toString("base64")

const writeKeys = (path: string): void => {
  const ring = () => ({ current: 1, keys: { 1: key() } })
  writeFileSync(path, JSON.stringify({ master: ring(), hashing: ring() }), { mode: 0o600 })
}

const configuration = (publicBaseUrl: string, token: string, accounts: ReadonlyArray<Merchants.Account>) => ({
  publicBaseUrl,
  keyRing: "keys.json",
  adapters: "./bank.ts",
  trustedProxies: ["127.0.0.0/8"],
  operator: { tokens: { drill: token } },
  // The shops' servers are on this machine, as servers of a private network are.
  callbacks: { allowRanges: ["127.0.0.0/8"], anyPortRanges: ["127.0.0.0/8"] },
  merchants: accounts.map(({ controlKey, endpointId, login }) => ({
    login,
    controlKeys: [controlKey],
    endpoints: [{ id: endpointId, currencies: ["USD"] }]
  }))
})

/** Completes when each gateway is ready. */
export const allReady = ({ gateways }: Pick<Site, "gateways">) =>
  Effect.forEach(
    gateways,
    ({ port }) =>
      Effect.repeat(Observations.get(port, "/readyz"), { until: ({ status }) => status === 200, schedule: soon }),
    { discard: true }
  )

export const make = Effect.fnUntraced(function* (machine: string) {
  const folder = join(machine, "work")
  const bank = yield* Bank.make
  const database = yield* Database.make(folder)
  const nameServers = yield* Effect.forEach(Machine.nameServers, NameServer.make)
  const [proxyPort, ...ports] = yield* Effect.forEach([0, 1, 2], () => ServerAccount.freePort)
  const publicBaseUrl = `https://${Machine.hosts.gateway}:${proxyPort}`
  const accounts = Machine.logins.map((login, index) => ({
    login,
    controlKey: randomUUID(),
    endpointId: `${index + 1}`
  }))
  const token = key()
  copyFileSync(join(import.meta.dirname, "BankAdapter.ts"), join(folder, "bank.ts"))
  writeFileSync(join(folder, "bank.json"), JSON.stringify({ url: bank.url, secret: bank.secret }), { mode: 0o600 })
  writeFileSync(join(folder, "gateway.json"), JSON.stringify(configuration(publicBaseUrl, token, accounts)))
  writeKeys(join(folder, "keys.json"))

  let observations = Observations.make()
  const gateways = yield* Effect.forEach(ports, (port, index) => {
    const name = `gateway-${index + 1}`
    mkdirSync(join(folder, name), { mode: 0o700 })
    return GatewayProcess.make({
      ...{ name, port, program },
      onLine: (line) => Observations.addLine(observations, line),
      env: {
        ...database.environment,
        PAY_CONFIG: join(folder, "gateway.json"),
        PAY_KEY_RING: join(folder, "keys.json"),
        PAY_DATA: join(folder, name),
        PAY_WITNESS: join(folder, `${name}.witness`),
        PAY_LISTEN_DRAIN_MS: "1000"
      }
    })
  })
  for (const { start } of gateways) yield* start
  const path = Machine.paths(machine)
  const read = (file: string) => readFileSync(file, "utf8")
  const { gateway: host } = Machine.hosts
  yield* Nginx.start({ certificate: read(path.certificate(host)), key: read(path.key(host)) }, proxyPort ?? 0, ports)
  const merchants = yield* Merchants.make(machine, publicBaseUrl, accounts)
  yield* Observations.watch(gateways, () => observations)
  const operator = { PAY_OPERATOR_URL: `http://127.0.0.1:${ports[0]}`, PAY_OPERATOR_TOKEN: token }
  const site: Site = {
    ...{ bank, database, folder, gateways, merchants, nameServers },
    observations: () => observations,
    observe: Effect.sync(() => {
      observations = Observations.make()
    }),
    operate: (...args) => Database.run(args, operator)
  }
  yield* allReady(site)
  return site
})
