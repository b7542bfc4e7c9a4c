/** Handles operations that show merchants and reload their description. */
import { Effect } from "effect"
import type { Described } from "../../merchants/CheckedMerchants.ts"
import { LiveDirectory } from "../../merchants/LiveDirectory.ts"
import * as PublicKeys from "../../merchants/PublicKeys.ts"
import * as ReloadMerchants from "../../merchants/ReloadMerchants.ts"
import { conflict, type Handlers, missing, OperatorRefusal } from "./OperatorHandler.ts"

const rowOf = ({ endpoints, groups, login, name }: Described) => ({
  login,
  name,
  endpoints: endpoints.map(({ id }) => id),
  groups: groups.map(({ id }) => id)
})

const detailsOf = ({ approvers, endpoints, groups, login, name }: Described) => ({
  login,
  name,
  approvers: approvers.map(({ key, name }) => ({ name, fingerprint: PublicKeys.fingerprint(key) })),
  endpoints: endpoints.map((endpoint) => ({
    id: endpoint.id,
    enabled: endpoint.enabled,
    currencies: [...endpoint.currencies],
    operations: endpoint.operations === undefined ? null : [...endpoint.operations],
    controlAmount: endpoint.controlAmount,
    callbackFormat: endpoint.callbackFormat,
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
  groups: groups.map(({ endpoints, id }) => ({ id, endpoints: endpoints.map((endpoint) => endpoint.id) }))
})

export const make = Effect.gen(function* () {
  const live = yield* LiveDirectory
  const reload = yield* ReloadMerchants.make
  const handlers: Pick<Handlers, "listMerchants" | "showMerchant" | "reloadMerchants"> = {
    listMerchants: () => Effect.sync(() => ({ merchants: live.described().map(rowOf) })),
    showMerchant: ({ merchant: login }) =>
      Effect.suspend(() => {
        const merchant = live.described().find((each) => each.login === login)
        return merchant === undefined
          ? missing(`no merchant has the login ${login}`)
          : Effect.succeed(detailsOf(merchant))
      }),
    reloadMerchants: (_, actor) =>
      reload(actor).pipe(
        Effect.catchTags({
          DirectoryError: ({ problems }) =>
            Effect.fail(
              new OperatorRefusal({ status: 400, message: "the merchants stay as they were", detail: { problems } })
            ),
          NothingToReload: ({ message }) => conflict(message)
        })
      )
  }
  return handlers
})
