/** Everything that a drill plays on: the bank, the database, two production gateways, nginx in front, and the merchants. */
import { randomBytes, randomUUID } from "node:crypto"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schedule, type Scope } from "effect"
import { root } from "../../scripts/Workspace.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as LimitedDisk from "../postgres/LimitedDisk.ts"
import type * as PostgresServer from "../postgres/PostgresServer.ts"
import * as ServerAccount from "../postgres/ServerAccount.ts"
import * as Bank from "./Bank.ts"
import * as Database from "./Database.ts"
import * as Machine from "./Machine.ts"
import * as Merchants from "./Merchants.ts"
import * as NameServer from "./NameServer.ts"
import * as Nginx from "./Nginx.ts"
import * as Observations from "./Observations.ts"

/** The name servers of the machine. */
export interface Names {
  readonly first: NameServer.NameServer
  readonly second: NameServer.NameServer
  /** Writes into the machine's file which of them to ask. */
  readonly pointTo: (server: NameServer.NameServer) => Effect.Effect<void>
}

export const names = Effect.fnUntraced(function* (machine: string) {
  const [first, second] = [
    yield* NameServer.make(Machine.nameServers[0]),
    yield* NameServer.make(Machine.nameServers[1])
  ]
  const pointTo: Names["pointTo"] = ({ address }) => Effect.sync(() => Machine.pointTo(machine, address))
  return { first, pointTo, second } satisfies Names
})

/** A gateway as one incident starts it, in place of the usual one. */
export interface Changes {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string>
  /** Default: the gateway's own. */
  readonly port?: number
}

export interface Site {
  readonly names: Names
  /** The folder of the configuration and the keys. */
  readonly folder: string
  readonly bank: Bank.Bank
  readonly gateways: ReadonlyArray<GatewayProcess.GatewayProcess>
  readonly merchants: Merchants.Merchants
  /** The disk of the store. */
  readonly disk: LimitedDisk.LimitedDisk
  /** A process on the port and the files of the gateway at this index, which must not run meanwhile. */
  readonly inPlaceOf: (
    index: number,
    changes: Changes
  ) => Effect.Effect<GatewayProcess.GatewayProcess, never, Scope.Scope>
  /** What was seen of the gateways; {@link observe} begins anew, and {@link ignore} ends it. */
  readonly observations: () => Observations.Observations
  readonly observe: Effect.Effect<void>
  readonly ignore: Effect.Effect<void>
  /** Something that is not as it has to be, in words. */
  readonly blame: (problem: string) => Effect.Effect<void>
  readonly problems: () => ReadonlyArray<string>
  /** Runs `pay` with the rights of an operator at the first gateway. */
  readonly operate: (...args: ReadonlyArray<string>) => ReturnType<typeof Database.run>
}

/** A site whose gateways share a database. */
export interface PostgresSite extends Site {
  readonly server: PostgresServer.PostgresServer
}

/** A site of one gateway, whose store is a file in its data folder. */
export interface FileSite extends Site {
  readonly data: string
  readonly witness: string
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
  operator: { token },
  // The shops' servers are on this machine, as servers of a private network are.
  callbacks: { allowRanges: ["127.0.0.0/8"], anyPortRanges: ["127.0.0.0/8"] },
  merchants: accounts.map(({ controlKey, endpointId, login }) => ({
    login,
    controlKeys: [controlKey],
    endpoints: [{ id: endpointId, currencies: ["USD"] }]
  }))
})

/** Writes the adapter to this bank, `bank.ts`, with its settings. */
export const writeAdapter = (folder: string, { secret, url }: Bank.Bank): void => {
  copyFileSync(join(import.meta.dirname, "BankAdapter.ts"), join(folder, "bank.ts"))
  writeFileSync(join(folder, "bank.json"), JSON.stringify({ url, secret }), { mode: 0o600 })
}

/** Completes when each gateway is ready. */
export const allReady = ({ gateways }: Pick<Site, "gateways">) =>
  Effect.forEach(
    gateways,
    ({ port }) =>
      Effect.repeat(Observations.get(port, "/readyz"), { until: ({ status }) => status === 200, schedule: soon }),
    { discard: true }
  )

export interface Place {
  /** The folder of the machine. */
  readonly machine: string
  readonly names: Names
}

interface Process {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts the gateways with these settings, and everything around them. */
const build = Effect.fnUntraced(function* (
  { machine, names }: Place,
  folder: string,
  disk: LimitedDisk.LimitedDisk,
  processes: ReadonlyArray<Process>
) {
  const bank = yield* Bank.make
  const [proxyPort = 0, ...ports] = yield* Effect.forEach([0, ...processes], () => ServerAccount.freePort)
  const operatorPorts = yield* Effect.forEach(processes, () => ServerAccount.freePort)
  const publicBaseUrl = `https://${Machine.hosts.gateway}:${proxyPort}`
  const accounts = Machine.logins.map((login, index) => ({
    login,
    controlKey: randomUUID(),
    endpointId: `${index + 1}`
  }))
  const token = key()
  writeAdapter(folder, bank)
  writeFileSync(join(folder, "gateway.json"), JSON.stringify(configuration(publicBaseUrl, token, accounts)))
  writeKeys(join(folder, "keys.json"))

  let observations = Observations.make()
  let isIgnored = false
  let problems: ReadonlyArray<string> = []
  const inPlaceOf: Site["inPlaceOf"] = (index, { args = [], env = {}, port }) => {
    const { env: own = {}, name = "" } = processes[index] ?? {}
    const at = port === undefined ? { port: ports[index] ?? 0, operatorPort: operatorPorts[index] ?? 0 } : { port }
    return GatewayProcess.make({
      ...{ name, program, args, ...at },
      onLine: (line) => {
        if (!isIgnored) Observations.addLine(observations, line)
      },
      env: {
        PAY_CONFIG: join(folder, "gateway.json"),
        PAY_KEY_RING: join(folder, "keys.json"),
        PAY_WITNESS: join(folder, `${name}.witness`),
        PAY_LISTEN_DRAIN_MS: "1000",
        ...own,
        ...env
      }
    })
  }
  const gateways = yield* Effect.forEach(processes, (_, index) => inPlaceOf(index, {}))
  const path = Machine.paths(machine)
  const read = (file: string) => readFileSync(file, "utf8")
  const { gateway: host } = Machine.hosts
  yield* Nginx.start({ certificate: read(path.certificate(host)), key: read(path.key(host)) }, proxyPort, ports)
  const merchants = yield* Merchants.make(machine, publicBaseUrl, accounts)
  yield* Observations.watch(gateways, () => (isIgnored ? undefined : observations))
  const operator = { PAY_OPERATOR_URL: `http://127.0.0.1:${operatorPorts[0]}`, PAY_OPERATOR_TOKEN: token }
  const site: Site = {
    ...{ bank, disk, folder, gateways, inPlaceOf, merchants, names },
    observations: () => observations,
    observe: Effect.sync(() => {
      ;[observations, isIgnored, problems] = [Observations.make(), false, []]
    }),
    ignore: Effect.sync(() => {
      isIgnored = true
    }),
    blame: (problem) =>
      Effect.sync(() => {
        problems = [...problems, problem]
      }),
    problems: () => problems,
    operate: (...args) => Database.run(args, operator)
  }
  return site
})

const folderOf = (machine: string, name: string): string => {
  const folder = join(machine, name)
  mkdirSync(folder)
  return folder
}

/** Two gateways on PostgreSQL. */
export const onPostgres = Effect.fnUntraced(function* (place: Place) {
  const folder = folderOf(place.machine, "postgres")
  const { disk, environment, server } = yield* Database.make(folder)
  const processes = ["gateway-1", "gateway-2"].map((name) => {
    const data = join(folder, name)
    mkdirSync(data, { mode: 0o700 })
    return { name, env: { ...environment, PAY_DATA: data } }
  })
  const site = yield* build(place, folder, disk, processes)
  for (const { start } of site.gateways) yield* start
  yield* allReady(site)
  return { ...site, server } satisfies PostgresSite
})

const diskMegabytes = 128

/** One gateway with its store in a file, on a disk of its own. */
export const onFile = Effect.fnUntraced(function* (place: Place) {
  const folder = folderOf(place.machine, "file")
  const disk = LimitedDisk.at(Machine.mountDisk(folder, diskMegabytes))
  const data = join(disk.folder, "data")
  mkdirSync(data, { mode: 0o700 })
  const site = yield* build(place, folder, disk, [{ name: "gateway", env: { PAY_DATA: data } }])
  const first = yield* site.inPlaceOf(0, { args: ["--new"] })
  yield* first.start
  yield* first.stop
  for (const { start } of site.gateways) yield* start
  yield* allReady(site)
  return { ...site, data, witness: join(folder, "gateway.witness") } satisfies FileSite
})
