/** Incidents of the bank. */
import { Effect } from "effect"
import { type Incident, logs, metric, staysReady } from "../Incident.ts"
import type { Site } from "../Site.ts"

const lasting = (begin: Effect.Effect<void>, end: Effect.Effect<void>, duration: `${number} seconds`) =>
  Effect.andThen(
    Effect.delay(begin, "2 seconds"),
    Effect.andThen(Effect.delay(end, duration), Effect.sleep("2 seconds"))
  )

const unanswered = metric(/^pay_unknown_requests/, 1, "counts requests whose outcome is not known")

export const down: Incident<Site> = {
  name: "bank-down",
  happens: "the bank refuses connections for 8 s",
  expects: [
    logs(/gave no answer.*ECONNREFUSED/, "names the orders that were not sent, and why"),
    staysReady,
    metric(/^pay_agenda_overdue\{kind="bank"/, 1, "counts jobs that wait")
  ],
  run: ({ bank }) => lasting(bank.close, bank.open, "8 seconds")
}

export const slow: Incident<Site> = {
  name: "bank-slow",
  happens: "the bank books at once and answers after 6 s, for 12 s; the gateway waits 3 s",
  expects: [
    logs(/gave no answer.*no answer within 3000 ms/, "names the orders, and the time-out"),
    staysReady,
    unanswered
  ],
  run: ({ bank }) => lasting(bank.behave("slow"), bank.behave("well"), "12 seconds")
}

export const failing: Incident<Site> = {
  name: "bank-failing",
  happens: "the bank books and cuts the connection, or answers 503, for 4 s",
  expects: [
    logs(/gave no answer.*(closed|reset|SocketError|socket hang up)/i, "names the orders, and the cut"),
    logs(/gave no answer.*HTTP 503/, "names the orders, and the answer 503"),
    staysReady,
    unanswered
  ],
  run: ({ bank }) => lasting(bank.behave("failing"), bank.behave("well"), "4 seconds")
}

export const nonsense: Incident<Site> = {
  name: "bank-nonsense",
  happens: "every answer of the bank is one that its contract does not have, for 4 s",
  expects: [logs(/gave no answer/, "names the orders, and what came instead of an answer"), staysReady, unanswered],
  run: ({ bank }) => lasting(bank.behave("nonsense"), bank.behave("well"), "4 seconds")
}
