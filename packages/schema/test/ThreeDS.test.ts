import { deflateSync } from "node:zlib"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as ThreeDS from "../src/ThreeDS.ts"

const id = "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"
const base64url = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

describe("threeDSMethodData", () => {
  const message = { threeDSServerTransID: id, threeDSMethodNotificationURL: "https://gateway.example/3ds" }
  it("is base64url of JSON, without padding", () => {
    const text = ThreeDS.methodData.encode(message)
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(JSON.parse(Buffer.from(text, "base64url").toString())).toEqual(message)
  })
  it("is read with only the identifier", () =>
    expect(ThreeDS.methodData.decode(base64url({ threeDSServerTransID: id }))).toEqual(
      Result.succeed({ threeDSServerTransID: id })
    ))
})

describe("creq and cres", () => {
  it("are read as they were written", () => {
    const creq = {
      messageType: "CReq" as const,
      messageVersion: "2.2.0",
      threeDSServerTransID: id,
      acsTransID: id,
      challengeWindowSize: "05"
    }
    expect(ThreeDS.creq.decode(ThreeDS.creq.encode(creq))).toEqual(Result.succeed(creq))
  })
  it("keep an unknown result, and ignore additional keys", () =>
    expect(
      ThreeDS.cres.decode(base64url({ messageType: "CRes", threeDSServerTransID: id, transStatus: "Z", more: 1 }))
    ).toEqual(Result.succeed({ messageType: "CRes", threeDSServerTransID: id, transStatus: "Z" })))
  it("may have base64 padding", () =>
    expect(
      Result.isSuccess(ThreeDS.cres.decode(`${base64url({ messageType: "CRes", threeDSServerTransID: "" })}==`))
    ).toBe(true))
  it.each([
    ["not base64url", "a+b/", "is not base64url"],
    ["empty", "", "is not base64url"],
    ["too long", "A".repeat(16_385), "is not base64url"],
    ["not JSON", base64url("{"), "is not base64url JSON"],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("base64url"), "is not base64url JSON"],
    [
      "another message",
      base64url({ messageType: "CReq", threeDSServerTransID: id }),
      "is not the message that was expected"
    ],
    ["no identifier", base64url({ messageType: "CRes" }), "is not the message that was expected"],
    ["a list", base64url([]), "is not the message that was expected"]
  ])("are refused: %s", (_, text, says) => expect(ThreeDS.cres.decode(text)).toEqual(Result.fail(says)))
})

describe("the encoding of PaReq and PaRes", () => {
  const xml = '<ThreeDSecure><Message id="1"><PAReq>é</PAReq></Message></ThreeDSecure>'
  it("is read as it was written, also with line breaks in the base64", () => {
    const text = ThreeDS.xml.encode(xml)
    expect(ThreeDS.xml.decode(text)).toEqual(Result.succeed(xml))
    expect(ThreeDS.xml.decode(text.replaceAll(/(.{10})/g, "$1\r\n"))).toEqual(Result.succeed(xml))
  })
  it.each([
    ["not deflated", Buffer.from(xml).toString("base64")],
    ["more than 64 KiB", deflateSync(Buffer.alloc(65_537)).toString("base64")],
    ["cut off", ThreeDS.xml.encode(xml).slice(0, 20)]
  ])("is refused: %s", (_, text) =>
    expect(ThreeDS.xml.decode(text)).toEqual(Result.fail("is not base64 of deflated XML"))
  )
})
