import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { sign } from "../src/HmacSignature.ts"
import * as Notification from "../src/Notification.ts"
import * as Judge from "./Judge.ts"
import { captureEvent, hmacKey } from "./Sample.ts"

const item = { ...captureEvent, eventDate: "2026-01-01T01:00:00+01:00" }
type Item = typeof item

const signed = (changes: Partial<Item> = {}) => {
  const event = { ...item, ...changes }
  return { ...event, additionalData: { hmacSignature: sign(event, hmacKey) } }
}
const request = (...items: ReadonlyArray<object>) => ({
  live: "false",
  notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem }))
})
const read = (body: object) => Notification.read(JSON.stringify(body), [hmacKey])

describe("a webhook", () => {
  it("has verified events in their order", () => {
    const body = request(signed(), signed({ eventCode: "REFUND", success: "false" }))
    expect(Judge.webhook("CAPTURE", request(signed()))).toEqual([])
    const events = Result.getOrThrow(read(body))
    expect(events.map(({ eventCode, success }) => [eventCode, success])).toEqual([
      ["CAPTURE", true],
      ["REFUND", false]
    ])
    expect(events[0]).toMatchObject({ merchantReference: "123-capture-1", amount: { currency: "EUR", value: 1042 } })
  })

  it("may have null in place of an original, and further fields", () => {
    const { originalReference: _, ...first } = item
    const event = { ...first, eventCode: "AUTHORISATION", originalReference: null, operations: ["CANCEL"] }
    const signature = sign({ ...first, eventCode: "AUTHORISATION" }, hmacKey)
    const body = request({ ...event, additionalData: { hmacSignature: signature, authCode: "123456", n: { o: 1 } } })
    const [read1] = Result.getOrThrow(read(body))
    expect(read1?.originalReference).toBeUndefined()
    expect(read1?.unsigned.additional("authCode")).toBe("123456")
    expect(read1?.unsigned.additional("n")).toBeUndefined()
  })

  it.each([
    ["one event is not signed", request(signed(), item)],
    ["one event was changed", request(signed(), { ...signed(), amount: { currency: "EUR", value: 9 } })],
    [
      "an event was signed by another key",
      request({ ...item, additionalData: { hmacSignature: sign(item, "0".repeat(64)) } })
    ],
    ["the signature is no text", request({ ...item, additionalData: { hmacSignature: 7 } })]
  ])("is refused whole if %s", (_, body) => expect(read(body)).toEqual(Result.fail("an event has no right signature")))

  it.each([
    ["no JSON", "eventCode=CAPTURE"],
    ["JSON of another form", JSON.stringify({ type: "ping" })],
    ["a request without events", JSON.stringify(request())],
    ["an event with an unknown result", JSON.stringify(request(signed({ success: "maybe" })))],
    [
      "an event whose amount is no whole number",
      JSON.stringify(request({ ...signed(), amount: { currency: "EUR", value: 1.5 } }))
    ]
  ])("is refused if it is %s", (_, body) =>
    expect(Notification.read(body, [hmacKey])).toEqual(Result.fail("it is no webhook of Adyen"))
  )
})
