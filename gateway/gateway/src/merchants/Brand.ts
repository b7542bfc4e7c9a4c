/**
 * The brand of an endpoint's hosted pages: the merchant's name, logo and colour. The logo is part of the page, because pages load
 * no other files. A colour that is hard to read on the page is refused. The colour for dark pages is computed from it.
 */
import { Result } from "effect"
import type { BrandConfig } from "./MerchantConfig.ts"

/** Colours as `#rrggbb`: `accent` for buttons and links, `over` for those under the pointer, `on` for the text on a button. */
export interface Colors {
  readonly accent: string
  readonly over: string
  readonly on: string
}

export interface Brand {
  /** `undefined`: the merchant's name is shown. */
  readonly name: string | undefined
  /** The image as a `data:` address. */
  readonly logo: string | undefined
  /** `undefined`: the default colours of the pages. */
  readonly colors: { readonly light: Colors; readonly dark: Colors } | undefined
}

export const none: Brand = { name: undefined, logo: undefined, colors: undefined }

/**
 * The page backgrounds on which an accent must be readable: the darkest background of light pages, and the lightest of dark
 * pages.
 */
export const backgrounds = { light: "#f2f4f6", dark: "#19222b" } as const

/** Least contrast of text of ordinary size (WCAG 2.2, success criterion 1.4.3). */
const leastContrast = 4.5
/** Least contrast on dark pages, where a colour looks dull below it (WCAG 2.2, success criterion 1.4.6). */
const darkContrast = 7

/** Largest number of characters of a logo's `data:` address. */
const longestLogo = 16_384
const logoForm = /^data:image\/(?:png|webp|svg\+xml);base64,[A-Za-z0-9+/]{1,16384}={0,2}$/

const white = "#ffffff"
const black = "#000000"
/** Text on the light buttons of dark pages. */
const darkText = "#08202f"

const channels = (color: string): ReadonlyArray<number> =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Returns the relative luminance of a colour, as WCAG 2.2 defines it. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast ratio of two colours, as WCAG 2.2 defines it: 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const mixed = (color: string, other: string, share: number): string => {
  const target = channels(other)
  const parts = channels(color).map((channel, at) => Math.round(channel + ((target[at] ?? 0) - channel) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}

/** Returns the nearest colour between `color` and `towards` that is readable on the background. */
const readable = (color: string, ground: string, towards: string, least = leastContrast): string => {
  const shares = Array.from({ length: 101 }, (_, percent) => mixed(color, towards, percent / 100))
  return shares.find((candidate) => contrast(candidate, ground) >= least) ?? towards
}

const colorsOf = (color: string): Brand["colors"] => {
  const accent = readable(color, backgrounds.dark, white, darkContrast)
  return {
    light: { accent: color, over: mixed(color, black, 0.2), on: white },
    dark: {
      accent,
      over: mixed(accent, white, 0.3),
      on: contrast(accent, darkText) >= leastContrast ? darkText : black
    }
  }
}

/** Makes a brand. Fails with the problem, in words for an operator. */
export const make = ({ color, logo, name }: BrandConfig): Result.Result<Brand, string> => {
  if (logo !== undefined && !(logo.length <= longestLogo && logoForm.test(logo)))
    return Result.fail(
      `brand.logo is no data address of a PNG, WebP or SVG image in base64 with at most ${longestLogo} characters`
    )
  const accent = color?.toLowerCase()
  const ratio = accent === undefined ? leastContrast : contrast(accent, backgrounds.light)
  return ratio < leastContrast
    ? Result.fail(
        `brand.color ${color} has a contrast of ${ratio.toFixed(1)} to the page and needs ${leastContrast}: the nearest that is taken is ${readable(accent ?? black, backgrounds.light, black)}`
      )
    : Result.succeed({ name, logo, colors: accent === undefined ? undefined : colorsOf(accent) })
}
