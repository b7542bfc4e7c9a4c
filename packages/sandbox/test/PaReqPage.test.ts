import { assert, describe, it } from "@effect/vitest"
import type { PageAnswer } from "@pay/gateway/Pages"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Result } from "effect"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { enrol, hostedSessionOf, visit } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

describe("the page of version 1.0.2", () => {
  const MD = 'md "&<'
  const TermUrl = "https://gateway.example/3ds/pares?a=1&b=2"
  const open = (name: string) =>
    Effect.map(enrol(name), (enrolment) => {
      if (enrolment._tag !== "Version1") throw new Error(`${name} is ${enrolment._tag}`)
      return enrolment
    })
  const letter = (page: PageAnswer | undefined): string => {
    const xml = ThreeDS.xml.decode(hostedSessionOf(page)?.fields.PaRes ?? "")
    return Result.isFailure(xml) ? "asks" : (/<status>(.)<\/status>/.exec(xml.success)?.[1] ?? "")
  }

  const alone = [
    ["version1", "asks"],
    ["version1-passes", "Y"],
    ["version1-attempted", "A"],
    ["version1-fails", "N"],
    ["version1-unavailable", "U"],
    ["version1-forged", "Y"]
  ] as const
  it.effect.each(alone)("%s: %s", ([name, led]) =>
    Effect.gen(function* () {
      const { acsUrl, pareq } = yield* open(name)
      assert.strictEqual(letter(yield* visit(acsUrl, { PaReq: pareq, MD, TermUrl })), led)
    }).pipe(Effect.provide(world()))
  )

  it.effect("asks for the password, and brings PaRes and MD to the TermUrl", () =>
    Effect.gen(function* () {
      const { acsUrl, pareq } = yield* open("version1")
      const request = hostedSessionOf(yield* visit(acsUrl, { PaReq: pareq, MD, TermUrl }))
      assert.deepStrictEqual(request?.fields, { PaReq: pareq, MD, TermUrl })
      const page = yield* visit(acsUrl, { ...request?.fields, action: "confirm", password: "hint" })
      assert.strictEqual(letter(page), "Y")
      assert.strictEqual(hostedSessionOf(page)?.action, TermUrl)
      assert.strictEqual(hostedSessionOf(page)?.fields.MD, MD)
    }).pipe(Effect.provide(world()))
  )

  it.effect("knows only its own PaReqs, and goes to http addresses only", () =>
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
