/** Changes of the gateway's configuration and keys, and of merchants' keys. */
import { generateKeyPairSync } from "node:crypto"
import type { Chance } from "@pay/crashtest/Chance"
import type * as Directory from "@pay/gateway/Directory"
import { type Effect, Schema } from "effect"
import * as Account from "../merchant/Account.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { ask, pick, sendBoth } from "./OperatorRequests.ts"
import { merchantOfOurs } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const hourMs = 3_600_000

type Merchant = Directory.Config[number]
type Endpoint = Merchant["endpoints"][number]

/** Changes that a new configuration file makes to an endpoint. */
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

/** Returns the initial configuration with a change to one endpoint. */
const withChange = (
  simulation: SimulationRun,
  chance: Chance
): { readonly what: string; readonly directory: Directory.Config } => {
  const { login, endpoints } = merchantOfOurs(simulation.system, chance).account
  const id = chance.percent(40) ? endpoints.usd : chance.someOf(Object.values(endpoints))
  const [what = "is as it was", change = (endpoint: Endpoint) => endpoint] =
    chance.someOf(Object.entries(changes)) ?? []
  const directory = Account.directory(simulation.system.merchants.map(({ account }) => account)).map((merchant) => ({
    ...merchant,
    endpoints: each(merchant.endpoints, (endpoint) => (endpoint.id === id ? change(endpoint, chance) : endpoint))
  }))
  return { what: `endpoint ${id} of ${login} ${what}`, directory }
}

/** Returns the initial configuration with one more endpoint for each merchant. */
const withEndpoint = (simulation: SimulationRun): Directory.Config =>
  Account.directory(simulation.system.merchants.map(({ account }) => account)).map((merchant, index) => {
    const [first] = merchant.endpoints
    return { ...merchant, endpoints: [...merchant.endpoints, { ...first, id: String(90_001 + index) }] }
  })

/** Returns an invalid configuration, in which two merchants have the same login. */
const invalid = (directory: Directory.Config): Directory.Config => [...directory, ...directory.slice(0, 1)]

const reload = { target: "/operator/merchants/reload" } as const

const configurations = new WeakMap<object, Directory.Config>()

const reloadConfiguration = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { gateway, merchants, trace } = simulation.system
  const before = configurations.get(gateway) ?? Account.directory(merchants.map(({ account }) => account))
  const { directory, what } = chance.percent(20)
    ? { directory: withEndpoint(simulation), what: "one more" }
    : withChange(simulation, chance)
  if (chance.percent(20)) {
    gateway.setDirectory(invalid(directory))
    await ask(simulation, { ...reload, by: "ada", also: [400] })
    gateway.setDirectory(before)
    return
  }
  configurations.set(gateway, directory)
  gateway.setDirectory(directory)
  trace.note(`a new configuration: ${what}`)
  if (chance.percent(30)) {
    await simulation.system.run(gateway.kill())
    await simulation.system.run(gateway.start)
  } else await sendBoth(simulation, chance, reload)
}

/** Restores the initial configuration. */
export const restore = async (simulation: SimulationRun): Promise<void> => {
  const { gateway, merchants } = simulation.system
  if (!configurations.has(gateway)) return
  gateway.setDirectory(Account.directory(merchants.map(({ account }) => account)))
  await ask(simulation, { ...reload, by: "ada" })
}

/** Applies a change to every endpoint. */
export const configure = async (simulation: SimulationRun, chance: Chance, change: Change): Promise<void> => {
  const { gateway, merchants, trace } = simulation.system
  const directory = Account.directory(merchants.map(({ account }) => account)).map((merchant) => ({
    ...merchant,
    endpoints: each(merchant.endpoints, (endpoint) => changes[change](endpoint, chance))
  }))
  configurations.set(gateway, directory)
  gateway.setDirectory(directory)
  trace.note(`each endpoint ${change}`)
  await ask(simulation, { ...reload, by: "ada" })
}

const Rotated = Schema.Struct({ secret: Schema.optionalKey(Schema.String) })

/** Rotates a key. Repeats the request if no answer arrives; a key whose answer was lost stays valid too. */
const requestKey = async (simulation: SimulationRun, sent: object) => {
  for (let tries = 0; tries < 3; tries += 1) {
    const reply = await ask(simulation, { by: "grace", target: "/operator/keys/rotate", sent })
    if (reply.status !== 0) return reply
    await simulation.system.run(simulation.system.gateway.start)
  }
  return undefined
}

/** Gives the merchant a new key, which it starts to use while the old one is still valid. */
const rotateKey = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const merchant = merchantOfOurs(simulation.system, chance)
  const kind = chance.oneOf(["control", "rsa"])
  const pair = kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : undefined
  const publicKey = pair?.publicKey.export({ type: "spki", format: "pem" }).toString()
  const overlapMs = (1 + chance.below(48)) * hourMs
  const reply = await requestKey(simulation, {
    ...{ merchant: merchant.account.login, kind, overlapMs },
    ...(publicKey === undefined ? {} : { publicKey })
  })
  if (reply?.status !== 201) return
  await simulation.system.pass(chance.below(overlapMs))
  const controlKey = pick(Rotated, reply, ({ secret }) => secret)
  const privateKeyPem = pair?.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  // A copy of an earlier backup would lack the key, and its operators would have to add it again.
  simulation.restores.backup = undefined
  await simulation.system.run(
    merchant.changeKeys({
      ...(controlKey === undefined ? {} : { controlKey }),
      ...(privateKeyPem === undefined ? {} : { privateKeyPem })
    })
  )
}

const Rotation = Schema.Struct({ state: Schema.String, failed: Schema.Int })

/** Adds a master key, encrypts everything again under it, and removes the previous key. */
const changeMasterKey = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { gateway, loop, pass, run, trace, vault } = simulation.system
  const restart = async (change: Effect.Effect<void>) => {
    await run(gateway.kill())
    await run(change)
    await run(gateway.start)
  }
  const reencrypt = { by: "ada", target: "/operator/keys/rotation" } as const
  await restart(vault.addMasterKey)
  if (chance.percent(30)) gateway.crashAfter(1 + chance.below(60))
  await ask(simulation, reencrypt)
  await loop.drain()
  gateway.crashAfter(Number.POSITIVE_INFINITY)
  await pass(60_000)
  const done = pick(Rotation, await ask(simulation, { ...reencrypt, method: "GET" }), ({ failed, state }) => ({
    failed,
    state
  }))
  if (done?.state === "done") {
    if (done.failed > 0) throw new Error(`${done.failed} encrypted values have no key`)
    // An earlier backup is encrypted under the key that is removed.
    simulation.restores.backup = undefined
    await restart(vault.removeOldMasterKeys)
  }
  await run(gateway.start)
  trace.note(`a new master key: ${done?.state}`)
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "reload",
    group: "configuration",
    what: "The gateway reloads its configuration, or restarts with it: other limits, blocked cards, an endpoint switched off, on or added, or an invalid file, which changes nothing.",
    weight: 4,
    isFault: true,
    happen: reloadConfiguration
  },
  {
    name: "rotateKey",
    group: "configuration",
    what: "A merchant gets a new control key or RSA key, and restarts with it while both keys are valid.",
    weight: 2,
    isFault: true,
    happen: rotateKey
  },
  {
    name: "masterKey",
    group: "configuration",
    what: "The gateway gets a new master key, encrypts everything again, and the previous key is removed.",
    weight: 1,
    isFault: true,
    happen: changeMasterKey
  }
]
