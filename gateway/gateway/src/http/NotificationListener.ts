/**
 * The address for the notifications of banks, apart from those of merchants and operators: `/notifications/NAME` for the acquirer NAME.
 * A notification is acknowledged once its facts are committed; otherwise the bank sends it again.
 */
import { Context, Effect, Layer, Metric, Option, Predicate } from "effect"
import * as MetricSeries from "../kernel/MetricSeries.ts"
import { Settings } from "../kernel/Settings.ts"
import { Notifications } from "../orders/bank/Notifications.ts"
import * as ReceiveNotices from "../orders/outcomes/ReceiveNotices.ts"
import * as MinuteWarning from "./MinuteWarning.ts"
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

const notifications = Metric.counter("pay_notifications_total", {
  description:
    "Notifications by acquirer and outcome: accepted, refused, late (not verified in time) or store (not committed)",
  incremental: true
})
const countOf = MetricSeries.make(notifications, "acquirer", "outcome")

/** Longest time in which an adapter verifies a notification. */
const receiveMs = 10_000

const prefix = "/notifications/"

const singleHeaders = (headers: PageRequest["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => Predicate.isString(entry[1])))

/** Makes what answers banks. */
export const answers = Effect.fnUntraced(function* (adapters: Notifications["Service"]) {
  const receive = yield* ReceiveNotices.make
  const warn = { refused: MinuteWarning.make(), late: MinuteWarning.make(), store: MinuteWarning.make() }
  /** Anybody may send what is refused: it is counted each time, and logged once a minute. */
  const failed = (acquirer: string, outcome: keyof typeof warn, message: string, answer: PageAnswer) =>
    Effect.as(
      Effect.andThen(
        Metric.update(countOf(acquirer, outcome), 1),
        warn[outcome](() => message)
      ),
      answer
    )
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
          ? failed(name, "late", "An adapter did not verify a notification in time", plain(503, "try again\n"))
          : receive(name, notified.facts).pipe(
              Effect.andThen(Metric.update(countOf(name, "accepted"), 1)),
              Effect.as(plain(200, notified.acknowledgement ?? ""))
            )
      ),
      Effect.catchTags({
        NotificationRefused: ({ message }) =>
          failed(name, "refused", `A notification was refused: ${message}`, plain(401, "refused\n")),
        StoreUnavailable: ({ message }) =>
          failed(
            name,
            "store",
            `The store does not accept a notification; the bank sends it again: ${message}`,
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
