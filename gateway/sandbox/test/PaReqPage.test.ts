import { assert, describe, it } from "@effect/vitest"
import type { PageAnswer } from "@pay/gateway/Gateway"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Result } from "effect"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { enrol, formOf, visit } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

describe("the issuer's page for 3-D Secure 1.0.2", () => {
  const MD = 'md "&<'
  const TermUrl = "https://gateway.example/3ds/pares?a=1&b=2"
  const open = (name: string) =>
    Effect.map(enrol(name), (enrolment) => {
      if (enrolment._tag !== "Version1") throw new Error(`${name} is ${enrolment._tag}`)
      return enrolment
    })
  const statusOf = (page: PageAnswer | undefined): string => {
    const xml = ThreeDS.xml.decode(formOf(page)?.fields.PaRes ?? "")
    return Result.isFailure(xml) ? "asks for the password" : (/<status>(.)<\/status>/.exec(xml.success)?.[1] ?? "")
  }

  const rows = [
    ["version1", "asks for the password"],
    ["version1-passes", "Y"],
    ["version1-attempted", "A"],
    ["version1-fails", "N"],
    ["version1-unavailable", "U"],
    ["version1-forged", "Y"]
  ] as const
  it.effect.each(rows)("answers for the card %s: %s", ([name, expected]) =>
    Effect.gen(function* () {
      const { acsUrl, pareq } = yield* open(name)
      assert.strictEqual(statusOf(yield* visit(acsUrl, { PaReq: pareq, MD, TermUrl })), expected)
    }).pipe(Effect.provide(world()))
  )

  it.effect("posts PaRes and MD to the TermUrl after the password", () =>
    Effect.gen(function* () {
      const { acsUrl, pareq } = yield* open("version1")
      const request = formOf(yield* visit(acsUrl, { PaReq: pareq, MD, TermUrl }))
      assert.deepStrictEqual(request?.fields, { PaReq: pareq, MD, TermUrl })
      const page = yield* visit(acsUrl, { ...request?.fields, action: "confirm", password: "hint" })
      assert.strictEqual(statusOf(page), "Y")
      assert.strictEqual(formOf(page)?.action, TermUrl)
      assert.strictEqual(formOf(page)?.fields.MD, MD)
    }).pipe(Effect.provide(world()))
  )

  it.effect("refuses a changed PaReq, and a TermUrl that is not http or https", () =>
    Effect.gen(function* () {
      const { acsUrl, pareq } = yield* open("version1-passes")
      const cheaper = Result.getOrThrow(ThreeDS.xml.decode(pareq)).replace(">1000<", ">1<")
      const bad = [
        { PaReq: ThreeDS.xml.encode(cheaper), MD, TermUrl },
        { PaReq: "", MD, TermUrl },
        { PaReq: pareq, MD, TermUrl: "javascript:alert(1)" },
        { PaReq: pareq, MD }
      ]
      for (const fields of bad) assert.strictEqual((yield* visit(acsUrl, fields))?.status, 400)
    }).pipe(Effect.provide(world()))
  )
})
