/** The check of callbacks reports each kind of wrong callback. */
import * as Callback from "@pay/signing/Callback"
import { assert, describe, it } from "vitest"
import * as Callbacks from "./Callbacks.ts"

const controlKey = "key"
const url = "http://127.0.0.1:8081/callback/m"

const event = (sequence: number) => ({
  ...{ eventId: `17-${sequence}`, orderId: "17", sequence, url, delivery: "delivered" as const, triesBefore: 0 },
  query: `status=approved&orderid=17&client_orderid=a&amount=${sequence}.00`
})
const events = [event(1), event(2)]
const [one, two] = events.map(
  ({ query }) =>
    `${url}?${query}&control=${Callback.sign({ status: "approved", orderid: "17", client_orderid: "a" }, controlKey)}`
)

const arrivals = () => {
  const made = Callbacks.make((eventId) => events.find((each) => each.eventId === eventId))
  for (const each of events) made.written(each)
  return made
}

describe("the check of callbacks", () => {
  it("accepts callbacks that arrive in order, and repeats", () => {
    const { arrive, missing } = arrivals()
    for (const sent of [one, one, two, one]) assert.deepStrictEqual(arrive(sent ?? "", [controlKey]), [])
    assert.deepStrictEqual(missing(events), [])
  })

  it("reports a callback that is out of order, missing or still pending", () => {
    const { arrive, missing } = arrivals()
    assert.deepStrictEqual(arrive(two ?? "", [controlKey]), [])
    assert.match(missing(events).join(), /17-1 is delivered and has not arrived/)
    assert.match(arrive(one ?? "", [controlKey]).join(), /17-1 arrives for the first time after number 2/)
    assert.match(missing([{ ...event(2), delivery: "pending" }]).join(), /17-2 is pending/)
    assert.deepStrictEqual(missing([{ ...event(1), delivery: "dead-lettered" }]), [])
  })

  it("reports changed content and a wrong signature", () => {
    assert.match(
      arrivals()
        .arrive(one?.replace("1.00", "9.00") ?? "", [controlKey])
        .join(),
      /was never written/
    )
    assert.match(
      arrivals()
        .arrive(one ?? "", ["other"])
        .join(),
      /not signed/
    )
  })

  it.each([0, 1, 2, 3])("reports a forged callback that an inbox accepts: forgery %i", (turn) => {
    const forged = Callbacks.forge(one ?? "", turn)
    assert.match(arrivals().arrive(forged, [controlKey]).join(), /not signed/)
    assert.match(Callbacks.acceptedForgery(forged, 200).join(), /was answered with 200/)
    assert.deepStrictEqual(Callbacks.acceptedForgery(forged, 403), [])
  })

  it("reports a second callback that a hold is not released", () => {
    const lapse = (requestId: string, progress: "approved" | "declined") => ({
      requestId,
      operation: "LAPSE",
      progress
    })
    const callback = (requestId: string, address = url) => ({ orderId: "17", requestId, url: address })
    const requests = [lapse("1", "declined"), lapse("2", "declined"), lapse("3", "approved")]
    const once = [callback("1"), callback("1", `${url}/other`), callback("3")]
    assert.deepStrictEqual(Callbacks.repeatedLapseCallbacks(requests, once), [])
    assert.match(
      Callbacks.repeatedLapseCallbacks(requests, [...once, callback("2")]).join(),
      /gets a second callback that the hold of order 17/
    )
  })
})
