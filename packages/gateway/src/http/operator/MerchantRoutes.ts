/**
 * `GET /operator/merchants`, with `login=` one of them whole; `POST /operator/merchants/reload` reads the configuration
 * file's merchants again: checked as a whole, and refused with every problem while the ones known stay.
 */
import { Effect } from "effect"
import type { Described } from "../../merchants/CheckedMerchants.ts"
import { LiveDirectory } from "../../merchants/LiveDirectory.ts"
import * as PublicKeys from "../../merchants/PublicKeys.ts"
import * as ReloadMerchants from "../../merchants/ReloadMerchants.ts"
import { actor, json, type Route } from "./Route.ts"

const brief = ({ endpoints, groups, login, name }: Described) => ({
  login,
  name,
  endpoints: endpoints.map(({ id }) => id),
  groups: groups.map(({ id }) => id)
})

const whole = (merchant: Described) => ({
  ...brief(merchant),
  approvers: merchant.approvers.map(({ key, name }) => ({ name, fingerprint: PublicKeys.fingerprint(key) })),
  endpoints: merchant.endpoints.map((endpoint) => ({
    id: endpoint.id,
    enabled: endpoint.enabled,
    currencies: [...endpoint.currencies],
    operations: endpoint.operations === undefined ? null : [...endpoint.operations],
    controlAmount: endpoint.controlAmount,
    actingControl: endpoint.actingControl,
    maxAmount: endpoint.maxAmount,
    threeds: endpoint.threeds ?? null,
    threedsUnavailable: endpoint.threedsUnavailable,
    payoutApproval: endpoint.payoutApproval,
    unexpectedApproval: endpoint.unexpectedApproval,
    payoutMaxMinor: endpoint.payoutMaxMinor,
    timeZone: endpoint.timeZone,
    catchUpOccurrences: endpoint.catchUpOccurrences,
    descriptor: endpoint.descriptor ?? null
  })),
  groups: merchant.groups.map(({ endpoints, id }) => ({ id, endpoints: endpoints.map((endpoint) => endpoint.id) }))
})

export const make = Effect.gen(function* () {
  const live = yield* LiveDirectory
  const reload = yield* ReloadMerchants.make
  const routes: ReadonlyArray<Route> = [
    {
      method: "GET",
      path: "/operator/merchants",
      run: ({ query }) =>
        Effect.sync(() => {
          const login = query.get("login")
          if (login === null) return json(200, { merchants: live.described().map(brief) })
          const found = live.described().find((merchant) => merchant.login === login)
          return found === undefined
            ? json(404, { error: `no merchant has the login ${login}` })
            : json(200, whole(found))
        })
    },
    {
      method: "POST",
      path: "/operator/merchants/reload",
      run: (asked) =>
        reload(actor(asked)).pipe(
          Effect.map((replaced) => json(200, replaced)),
          Effect.catchTags({
            DirectoryError: ({ problems }) =>
              Effect.succeed(json(400, { error: "the merchants stay as they were", problems })),
            NothingToReload: ({ message }) => Effect.succeed(json(409, { error: message }))
          })
        )
    }
  ]
  return routes
})
