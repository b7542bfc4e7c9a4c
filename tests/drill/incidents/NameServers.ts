/** Incidents of the name servers, by which gateways find the merchants' servers for callbacks. */
import { Effect } from "effect"
import { type Incident, staysReady } from "../Incident.ts"
import type { Site } from "../Site.ts"

export const changed: Incident<Site> = {
  name: "name-servers-changed",
  happens:
    "for 6 s questions for IPv6 addresses have no answer; then /etc/resolv.conf names another server, and the first one is silent",
  expects: [staysReady],
  run: ({ blame, names: { first, pointTo, second } }) =>
    Effect.gen(function* () {
      const before = second.questions()
      yield* Effect.sleep("2 seconds")
      yield* first.behave("onlyIPv4")
      yield* Effect.sleep("6 seconds")
      yield* first.behave("silent")
      yield* pointTo(second)
      yield* Effect.sleep("6 seconds")
      if (second.questions() === before) yield* blame("the name server of the changed file was never asked")
    })
}
