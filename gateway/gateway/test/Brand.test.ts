import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Brand from "../src/merchants/Brand.ts"

const logo = "data:image/svg+xml;base64,PHN2Zy8+"

describe("the brand of an endpoint", () => {
  it("is the default brand if nothing is configured", () => {
    assert.deepStrictEqual(Result.getOrThrow(Brand.make({})), Brand.none)
  })

  it("accepts a name, a logo and a readable colour", () => {
    const brand = Result.getOrThrow(Brand.make({ name: "Foxglove", logo, color: "#7A2A63" }))
    assert.deepInclude(brand, { name: "Foxglove", logo })
    assert.strictEqual(brand.colors?.light.accent, "#7a2a63")
  })

  it("measures a contrast of 21 for black on white, and of 1 for equal colours", () => {
    assert.strictEqual(Brand.contrast("#000000", "#ffffff"), 21)
    assert.strictEqual(Brand.contrast("#14507a", "#14507a"), 1)
  })

  const pale = ["#ffffff", "#ffcc00", "#7fb3d5", "#808080"]
  it.each(pale)("refuses the pale colour %s, and suggests one that it accepts", (color) => {
    const refused = Brand.make({ color })
    assert.isTrue(Result.isFailure(refused))
    const [, nearest = ""] = /(#[0-9a-f]{6})$/.exec(Result.isFailure(refused) ? refused.failure : "") ?? []
    assert.isTrue(Result.isSuccess(Brand.make({ color: nearest })))
  })

  it("is readable on light pages, dark pages and buttons, with every colour that it accepts", () => {
    const steps = Array.from({ length: 16 }, (_, step) => (step * 17).toString(16).padStart(2, "0"))
    for (const color of steps.flatMap((red) =>
      steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`))
    )) {
      const brand = Brand.make({ color })
      if (Result.isFailure(brand)) {
        assert.isBelow(Brand.contrast(color, Brand.backgrounds.light), 4.5)
        continue
      }
      for (const theme of ["light", "dark"] as const) {
        const { accent = "", on = "", over = "" } = brand.success.colors?.[theme] ?? {}
        assert.isAtLeast(Brand.contrast(accent, Brand.backgrounds[theme]), theme === "light" ? 4.5 : 7)
        assert.isAtLeast(Brand.contrast(on, accent), 4.5)
        assert.isAtLeast(Brand.contrast(on, over), 4.5)
      }
    }
  })

  const badLogos = [
    "https://shop.example/logo.png",
    "data:text/html;base64,PHN2Zy8+",
    'data:image/png;base64,PHN2Zy8+" onerror="alert(1)',
    "data:image/svg+xml,<svg/>",
    `data:image/png;base64,${"A".repeat(16_384)}`
  ]
  it.each(badLogos)("refuses the logo %s", (address) => {
    assert.isTrue(Result.isFailure(Brand.make({ logo: address })))
  })
})
