/**
 * The address for the notifications of banks, apart from those of merchants and operators: `/notifications/NAME` for the acquirer NAME.
 * A notification is acknowledged once its facts are committed; otherwise the bank sends it again.
 */
import { Context, Effect, Layer, Option, Predicate } from "effect"
import { Settings } from "../kernel/Settings.ts"
import { Notifications } from "../orders/bank/Notifications.ts"
import * as ReceiveNotices from "../orders/outcomes/ReceiveNotices.ts"
import * as PageListener from "./PageListener.ts"
import type { PageAnswer, PageRequest } from "./Pages.ts"

export interface Options {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: a free port. */
  readonly port?: number | undefined
}

/** The address for the notifications of banks, without a path; undefined if no adapter takes any. */
export class NotificationServer extends Context.Service<NotificationServer, { readonly url: string | undefined }>()(
  "@pay/gateway/NotificationServer"
) {}

const plain = (status: number, body: string): PageAnswer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body
})

/** Longest time in which an adapter verifies a notification. */
const receiveMs = 10_000

const prefix = "/notifications/"

const singleHeaders = (headers: PageRequest["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => Predicate.isString(entry[1])))

/** Makes what answers banks. */
export const answers = Effect.fnUntraced(function* (adapters: Notifications["Service"]) {
  const receive = yield* ReceiveNotices.make
  return Effect.fnUntraced(function* ({ body, headers, method, path, query }: Omit<PageRequest, "publicBaseUrl">) {
    const [name = "", ...below] = path.startsWith(prefix) ? path.slice(prefix.length).split("/") : []
    const adapter = adapters.get(name)
    if (adapter === undefined) return plain(404, "there is nothing here\n")
    const request = {
      method,
      path: `/${below.join("/")}`,
      query,
      headers: singleHeaders(headers),
      body: Buffer.from(body)
    }
    return yield* adapter.receive(request).pipe(
      Effect.timeoutOrElse({ duration: receiveMs, orElse: () => Effect.succeed(undefined) }),
      Effect.flatMap((notified) =>
        notified === undefined
          ? Effect.as(Effect.logError("An adapter did not verify a notification in time"), plain(503, "try again\n"))
          : Effect.as(receive(name, notified.facts), plain(200, notified.acknowledgement ?? ""))
      ),
      Effect.catchTags({
        NotificationRefused: ({ message }) =>
          Effect.as(Effect.logWarning("A notification was refused", message), plain(401, "refused\n")),
        StoreUnavailable: (error) =>
          Effect.as(
            Effect.logWarning("The store does not accept a notification; the bank sends it again", error),
            plain(503, "try again\n")
          )
      }),
      Effect.annotateLogs({ acquirer: name })
    )
  })
})

/** Listens if an adapter takes notifications. */
export const layer = ({ host = "127.0.0.1", port = 0 }: Options) =>
  Layer.effect(
    NotificationServer,
    Effect.gen(function* () {
      const adapters = Option.getOrUndefined(yield* Effect.serviceOption(Notifications))
      if (adapters === undefined) return { url: undefined }
      const { maxBodyBytes } = yield* Settings
      const options = { host, port, setting: "PAY_NOTIFICATION_PORT", maxBodyBytes }
      return { url: yield* PageListener.listen(options, () => answers(adapters)) }
    })
  )
