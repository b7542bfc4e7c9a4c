/**
 * Checks in merchants' descriptions what a schema cannot: keys that parse, numbers and logins used once, groups of existing
 * endpoints, time zones that exist. All problems are reported together, and then the whole description is refused.
 */
import type { KeyObject } from "node:crypto"
import * as Blanks from "@pay/schema/Blanks"
import * as EndpointId from "@pay/schema/EndpointId"
import * as PayApi from "@pay/schema/PayApi"
import { DateTime, Option, Redacted, Result } from "effect"
import * as RiskRules from "../risk/RiskRules.ts"
import * as Brand from "./Brand.ts"
import type { Approver, Endpoint, EndpointTerminal } from "./Directory.ts"
import type { Config } from "./MerchantConfig.ts"
import * as PublicKeys from "./PublicKeys.ts"
import { defaultAcquirer, type TerminalConfig, column as terminalColumn } from "./Terminal.ts"

/** A merchant as the file describes it. The store decides which of the keys are active. */
export interface Described {
  readonly login: string
  readonly name: string
  readonly approvers: ReadonlyArray<Approver>
  readonly hasShortNumbers: boolean
  /** The control keys in the file, newest first. */
  readonly controlKeys: ReadonlyArray<Redacted.Redacted<string>>
  readonly publicKeys: ReadonlyArray<KeyObject>
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly groups: ReadonlyArray<{ readonly id: string; readonly endpoints: ReadonlyArray<Endpoint> }>
}

type Entry = Config[number]
/** Records a problem. Returns `undefined`, so that the caller can leave the value out. */
type Note = (problem: string) => undefined

/** Checks the descriptions of all merchants. Fails with every problem, in words for an operator. */
export const check = (config: Config): Result.Result<ReadonlyArray<Described>, ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const note: Note = (problem) => void problems.push(problem)
  const logins = new Set<string>()
  const numbers = new Set<string>()
  const claim = (id: string): void => {
    if (EndpointId.parse(id) !== id)
      note(`"${id}" is not an endpoint number: decimal, without leading zeros, below 2^63`)
    else if (numbers.has(id)) note(`the number ${id} is used twice; endpoints and groups share one number space`)
    numbers.add(id)
  }
  const described = config.map((entry) => {
    if (logins.has(entry.login)) note(`the login ${entry.login} is used twice`)
    logins.add(entry.login)
    const flaw = loginFlaw(entry.login)
    if (flaw !== undefined) note(`the login ${JSON.stringify(entry.login)} ${flaw}: no request can carry it`)
    return merchantOf(entry, claim, note)
  })
  const holders = new Map<string, string>()
  for (const { login, publicKeys } of described) {
    for (const print of new Set(publicKeys.map(PublicKeys.fingerprint))) {
      const holder = holders.get(print)
      if (holder !== undefined && holder !== login)
        note(`a public key of ${login} is named for ${holder}, too: each merchant needs a key pair of its own`)
      holders.set(print, login)
    }
  }
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(described)
}

/**
 * Returns why no request can contain this login, or `undefined`. A request has it in a field, whose blanks are trimmed and which
 * the contract restricts.
 */
const loginFlaw = (login: string): string | undefined =>
  Blanks.trim(login) === login
    ? PayApi.operations.STATUS.infos.get("login")?.flaw(login)?.says
    : "begins or ends with a blank"

/** Returns what is allowed but probably a mistake, in words for an operator. */
export const warnings = (described: ReadonlyArray<Described>): ReadonlyArray<string> =>
  described.flatMap(({ groups, login }) =>
    groups
      .filter(({ endpoints }) => new Set(endpoints.map(({ payoutApproval }) => payoutApproval)).size > 1)
      .map(({ endpoints, id }) => {
        const free = endpoints.filter(({ payoutApproval }) => !payoutApproval).map((endpoint) => endpoint.id)
        return `group ${id} of ${login} mixes endpoints with and without payoutApproval: a payout that the group gives to ${free.join(" or ")} waits for no second person`
      })
  )

const merchantOf = (entry: Entry, claim: (id: string) => void, note: Note): Described => {
  const { login } = entry
  const publicKeys = (entry.publicKeys ?? []).flatMap((pem) => {
    const key = PublicKeys.rsa(pem)
    if (Result.isSuccess(key)) return [key.success]
    return note(`a public key of ${login} ${key.failure}`) ?? []
  })
  const endpoints = entry.endpoints.map((endpoint) => {
    claim(endpoint.id)
    return endpointOf(endpoint, (problem) => note(`endpoint ${endpoint.id}: ${problem}`))
  })
  const groups = (entry.groups ?? []).map((group) => {
    claim(group.id)
    const members = group.endpoints.flatMap((id) => {
      const endpoint = endpoints.find((own) => own.id === id)
      return endpoint ?? note(`group ${group.id} names the endpoint ${id}, which ${login} does not have`) ?? []
    })
    if (new Set(members.map(({ controlAmount }) => controlAmount)).size > 1)
      note(`the endpoints of group ${group.id} differ in controlAmount: a signature means one amount`)
    return { id: group.id, endpoints: members }
  })
  const controlKeys = (entry.controlKeys ?? []).map((key) =>
    Redacted.make(Blanks.trim(Redacted.value(key)), { label: "control key" })
  )
  if (controlKeys.some((key) => Redacted.value(key) === "")) note(`a control key of ${login} has only blanks`)
  return {
    login,
    name: entry.name ?? login,
    approvers: approversOf(entry, publicKeys, note),
    hasShortNumbers:
      (entry.numbers ?? (endpoints.some(({ dialects }) => dialects.has("pairs")) ? "short" : "long")) === "short",
    controlKeys,
    publicKeys,
    endpoints,
    groups
  }
}

const endpointOf = (endpoint: Entry["endpoints"][number], note: Note): Endpoint => {
  const { catchUpOccurrences = 1, maxAmount = {}, payoutMaxAmount = {}, timeZone = "UTC" } = endpoint
  const risk = RiskRules.make(maxAmount, endpoint.risk ?? {})
  const payoutMaxMinor = RiskRules.minorOf(payoutMaxAmount)
  const brand = Brand.make(endpoint.brand ?? {})
  if (Result.isFailure(brand)) note(brand.failure)
  if (Result.isFailure(risk)) note(risk.failure)
  if (Result.isFailure(payoutMaxMinor)) note(payoutMaxMinor.failure)
  if (!isZone(timeZone)) note(`${timeZone} is no time zone, as Europe/Berlin is one`)
  return {
    id: endpoint.id,
    enabled: endpoint.enabled ?? true,
    currencies: new Set(endpoint.currencies),
    operations: endpoint.operations === undefined ? undefined : new Set(endpoint.operations),
    dialects: new Set(endpoint.dialects ?? ["json"]),
    controlAmount: endpoint.controlAmount ?? "minor",
    callbackFormat: endpoint.callbackFormat ?? "query",
    actingControl: endpoint.actingControl ?? "any",
    maxAmount,
    risk: Result.getOrElse(risk, () => RiskRules.none),
    descriptor: endpoint.descriptor,
    terminals: (endpoint.terminals ?? []).map(terminalOf(endpoint.currencies, note)),
    brand: Result.getOrElse(brand, () => Brand.none),
    threeds: endpoint.threeds,
    threedsUnavailable: endpoint.threedsUnavailable ?? "decline",
    payoutApproval: endpoint.payoutApproval ?? false,
    unexpectedApproval: endpoint.unexpectedApproval ?? "review",
    payoutMaxMinor: Result.getOrElse(payoutMaxMinor, () => ({})),
    timeZone,
    catchUpOccurrences
  }
}

/** Checks the currencies of a terminal against those of its endpoint. */
const terminalOf =
  (own: ReadonlyArray<string>, note: Note) =>
  ({ acquirer, currencies, descriptor, ...terminal }: TerminalConfig): EndpointTerminal => {
    for (const currency of currencies ?? [])
      if (!own.includes(currency))
        note(`the terminal ${terminal.mid} is for ${currency}, which the endpoint does not take`)
    return {
      acquirer: acquirer === defaultAcquirer ? undefined : acquirer,
      currencies: currencies === undefined ? undefined : new Set(currencies),
      descriptor,
      terminal,
      column: terminalColumn.write(terminal)
    }
  }

/**
 * Whether the name is a time zone. It must begin with a letter, because an offset such as +03:00 has no summer time. A look-up is
 * slow and most endpoints use UTC, so UTC needs none.
 */
const isZone = (name: string): boolean =>
  name === "UTC" || (/^[A-Za-z]/.test(name) && Option.isSome(DateTime.zoneMakeNamed(name)))

const approversOf = (
  { approvers = [], login }: Entry,
  publicKeys: ReadonlyArray<KeyObject>,
  note: Note
): ReadonlyArray<Approver> => {
  const names = new Set<string>()
  const fingerprints = new Set(publicKeys.map(PublicKeys.fingerprint))
  return approvers.flatMap(({ name, publicKey }) => {
    if (names.has(name)) note(`${login} has two approvers with the name ${name}`)
    names.add(name)
    const key = PublicKeys.personal(publicKey)
    if (Result.isFailure(key)) return note(`the key of ${login}'s approver ${name} ${key.failure}`) ?? []
    const print = PublicKeys.fingerprint(key.success)
    if (fingerprints.has(print))
      note(`the key of ${login}'s approver ${name} is in use already: it must be that person's alone`)
    fingerprints.add(print)
    return [{ name, key: key.success }]
  })
}
