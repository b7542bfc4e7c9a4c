/** The configuration of the gateway changes while it runs, and merchants change their keys. */
import { generateKeyPairSync } from "node:crypto"
import type * as Directory from "@pay/gateway/Directory"
import { type Effect, Schema } from "effect"
import type { Chance } from "../Chance.ts"
import * as Account from "../merchant/Account.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { ask, askBoth, pick } from "./OperatorRequests.ts"
import { oneOfOurs } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const hourMs = 3_600_000

type Merchant = Directory.Config[number]
type Endpoint = Merchant["endpoints"][number]

/** What a new file says of an endpoint. */
const changes = {
  "has other limits": (endpoint: Endpoint, chance: Chance): Endpoint => ({
    ...endpoint,
    maxAmount: Object.fromEntries(
      endpoint.currencies.map((currency) => [currency, chance.oneOf(["50", "150", "1000"])])
    )
  }),
  "is switched off": (endpoint: Endpoint): Endpoint => ({ ...endpoint, enabled: false }),
  "blocks the cards of most people": (endpoint: Endpoint): Endpoint => ({
    ...endpoint,
    risk: { block: { cards: ["444455"] } }
  }),
  "reverses unexpected approvals": (endpoint: Endpoint): Endpoint => ({ ...endpoint, unexpectedApproval: "reverse" }),
  "is as it was": (endpoint: Endpoint): Endpoint => endpoint
}
export type Change = keyof typeof changes

const each = <A>([first, ...others]: readonly [A, ...ReadonlyArray<A>], change: (value: A) => A) =>
  [change(first), ...others.map(change)] as const

/** Every merchant's endpoints as they were at first, but for one. */
const changed = (
  simulation: SimulationRun,
  chance: Chance
): { readonly what: string; readonly directory: Directory.Config } => {
  const { login, endpoints } = oneOfOurs(simulation.world, chance).account
  const id = chance.percent(40) ? endpoints.usd : chance.someOf(Object.values(endpoints))
  const [what = "is as it was", change = (endpoint: Endpoint) => endpoint] =
    chance.someOf(Object.entries(changes)) ?? []
  const directory = Account.directory(simulation.world.merchants.map(({ account }) => account)).map((merchant) => ({
    ...merchant,
    endpoints: each(merchant.endpoints, (endpoint) => (endpoint.id === id ? change(endpoint, chance) : endpoint))
  }))
  return { what: `endpoint ${id} of ${login} ${what}`, directory }
}

/** A file with one more endpoint. */
const grown = (simulation: SimulationRun): Directory.Config =>
  Account.directory(simulation.world.merchants.map(({ account }) => account)).map((merchant, index) => {
    const [first] = merchant.endpoints
    return { ...merchant, endpoints: [...merchant.endpoints, { ...first, id: String(90_001 + index) }] }
  })

/** Two merchants have one login. */
const faulty = (directory: Directory.Config): Directory.Config => [...directory, ...directory.slice(0, 1)]

const reload = { target: "/operator/merchants/reload" } as const

const described = new WeakMap<object, Directory.Config>()

const reloading = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { gateway, merchants, trace } = simulation.world
  const before = described.get(gateway) ?? Account.directory(merchants.map(({ account }) => account))
  const { directory, what } = chance.percent(20)
    ? { directory: grown(simulation), what: "one more" }
    : changed(simulation, chance)
  if (chance.percent(20)) {
    gateway.describe(faulty(directory))
    await ask(simulation, { ...reload, by: "ada", also: [400] })
    gateway.describe(before)
    return
  }
  described.set(gateway, directory)
  gateway.describe(directory)
  trace.note(`a new configuration: ${what}`)
  if (chance.percent(30)) {
    await simulation.world.run(gateway.kill())
    await simulation.world.run(gateway.start)
  } else await askBoth(simulation, chance, reload)
}

/** The configuration is as at first. */
export const restore = async (simulation: SimulationRun): Promise<void> => {
  const { gateway, merchants } = simulation.world
  if (!described.has(gateway)) return
  gateway.describe(Account.directory(merchants.map(({ account }) => account)))
  await ask(simulation, { ...reload, by: "ada" })
}

/** Every endpoint is like this from now on. */
export const configure = async (simulation: SimulationRun, chance: Chance, change: Change): Promise<void> => {
  const { gateway, merchants, trace } = simulation.world
  const directory = Account.directory(merchants.map(({ account }) => account)).map((merchant) => ({
    ...merchant,
    endpoints: each(merchant.endpoints, (endpoint) => changes[change](endpoint, chance))
  }))
  described.set(gateway, directory)
  gateway.describe(directory)
  trace.note(`each endpoint ${change}`)
  await ask(simulation, { ...reload, by: "ada" })
}

const Made = Schema.Struct({ secret: Schema.optionalKey(Schema.String) })

/** Asked again while the answer does not arrive: a key that did not arrive is one more that counts. */
const rotated = async (simulation: SimulationRun, sent: object) => {
  for (let tries = 0; tries < 3; tries += 1) {
    const reply = await ask(simulation, { by: "grace", target: "/operator/keys/rotate", sent })
    if (reply.status !== 0) return reply
    await simulation.world.run(simulation.world.gateway.start)
  }
  return undefined
}

/** The merchant gets a new key, and begins to use it while the old one still counts. */
const rotating = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const merchant = oneOfOurs(simulation.world, chance)
  const kind = chance.oneOf(["control", "rsa"])
  const pair = kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : undefined
  const publicKey = pair?.publicKey.export({ type: "spki", format: "pem" }).toString()
  const overlapMs = (1 + chance.below(48)) * hourMs
  const reply = await rotated(simulation, {
    ...{ merchant: merchant.account.login, kind, overlapMs },
    ...(publicKey === undefined ? {} : { publicKey })
  })
  if (reply?.status !== 201) return
  await simulation.world.pass(chance.below(overlapMs))
  const controlKey = pick(Made, reply, ({ secret }) => secret)
  const privateKeyPem = pair?.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  await simulation.world.run(
    merchant.changeKeys({
      ...(controlKey === undefined ? {} : { controlKey }),
      ...(privateKeyPem === undefined ? {} : { privateKeyPem })
    })
  )
}

const Sealed = Schema.Struct({ state: Schema.String, failed: Schema.Int })

/** A new master key; everything is sealed anew, and the key before is destroyed. */
const sealing = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { gateway, loop, pass, run, trace, vault } = simulation.world
  const restart = async (change: Effect.Effect<void>) => {
    await run(gateway.kill())
    await run(change)
    await run(gateway.start)
  }
  const rewrap = { by: "ada", target: "/operator/keys/rotation" } as const
  await restart(vault.addMaster)
  if (chance.percent(30)) gateway.crashAfter(1 + chance.below(60))
  await ask(simulation, rewrap)
  await loop.drain()
  gateway.crashAfter(Number.POSITIVE_INFINITY)
  await pass(60_000)
  const done = pick(Sealed, await ask(simulation, { ...rewrap, method: "GET" }), ({ failed, state }) => ({
    failed,
    state
  }))
  if (done?.state === "done") {
    if (done.failed > 0) throw new Error(`${done.failed} sealed values are under no key`)
    await restart(vault.forgetMasters)
  }
  await run(gateway.start)
  trace.note(`a new master key: ${done?.state}`)
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "reload",
    group: "configuration",
    what: "The gateway reads its configuration again, or starts on it: other limits, blocked cards, an endpoint switched off or on or added, or a faulty file, which changes nothing.",
    weight: 4,
    isFault: true,
    happen: reloading
  },
  {
    name: "rotate",
    group: "configuration",
    what: "A merchant gets a new control key or RSA key, and is started with it somewhere in the time in which both count.",
    weight: 2,
    isFault: true,
    happen: rotating
  },
  {
    name: "masterKey",
    group: "configuration",
    what: "The gateway gets a new master key, seals everything anew, and the key before is destroyed.",
    weight: 1,
    isFault: true,
    happen: sealing
  }
]
