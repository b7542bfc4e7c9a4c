import { assert, describe, it } from "@effect/vitest"
import * as Card from "../src/Card.ts"
import * as CardText from "../src/CardText.ts"

const nbsp = "\u00a0"

const masked: ReadonlyArray<readonly [what: string, text: string, result: string]> = [
  ["a number alone", "4444555566661111", "[number]"],
  ["a number in a sentence", "card 4444555566661111 was refused", "card [number] was refused"],
  ["an expiry after a blank", "card 4444555566661111 12/35 refused", "card [number] 12/35 refused"],
  ["a digit after a hyphen", "4444555566661111-12", "[number]-12"],
  ["digits before and after", "1 4111 1111 1111 1111 2", "1 [number] 2"],
  ["glued to letters", "PAN4444555566661111EXP1235CVV123", "PAN[number]EXP1235CVV123"],
  ["glued to month and year", "44445555666611111235", "[number]"],
  ["glued to year and month", "44445555666611113512", "[number]"],
  ["glued to a year of four digits", "4444555566661111203512 4444555566661111122035", "[number] [number]"],
  [
    "a magnetic track",
    "B4444555566661111^SMITH/J^3512101 4444555566661111=3512101",
    "B[number]^SMITH/J^3512101 [number]=3512101"
  ],
  ["a track without a separator", "44445555666611112512101123456789", "[number]"],
  ["filled up with zeros", "0004444555566661111", "000[number]"],
  ["blanks", "4444 5555 6666 1111", "[number]"],
  ["two blanks", "4444  5555  6666  1111", "[number]"],
  ["tabs", "4444\t5555\t6666\t1111", "[number]"],
  ["blanks that do not break", `4444${nbsp}5555${nbsp}6666${nbsp}1111`, "[number]"],
  ["thin and wide blanks", "4444\u20095555\u20096666\u30001111", "[number]"],
  ["invisible characters", "4444\u200b5555\u200d6666\u00ad1111", "[number]"],
  ["hyphens", "4444-5555-6666-1111", "[number]"],
  ["dashes", "4444\u20115555\u20136666\u22121111", "[number]"],
  ["hyphens and blanks", "4444 - 5555 - 6666 - 1111", "[number]"],
  ["dots", "4444.5555.6666.1111", "[number]"],
  ["slashes", "4444/5555/6666/1111", "[number]"],
  ["dots and slashes of other scripts", "4444．5555．6666．1111 or 4444∕5555∕6666∕1111", "[number] or [number]"],
  ["points", "4444•5555•6666•1111", "[number]"],
  ["different separators", "4444 5555-6666.1111", "[number]"],
  ["line breaks with indentation", "4444\r\n  5555\n  6666\n  1111", "[number]"],
  ["thousands", "4,444,555,566,661,111", "[number]"],
  ["a list's separators between four groups", "4444_5555_6666_1111, or 4444:5555:6666:1111", "[number], or [number]"],
  ["each digit apart", "4 4 4 4 5 5 5 5 6 6 6 6 1 1 1 1", "[number]"],
  ["the first six apart", "444455-5566661111", "[number]"],
  ["American Express in its groups", "3782 822463 10005", "[number]"],
  ["the shortest and the longest", "676770123450 or 6304000000000000000", "[number] or [number]"],
  [
    "a number after the name of another",
    "rrn 4444555566661111, phone 4444555566661111",
    "rrn [number], phone [number]"
  ],
  ["two numbers", "6011000990139424 5555555555554444", "[number] [number]"],
  [
    "digits of other scripts",
    "４４４４５５５５６６６６１１１１ ٤٤٤٤٥٥٥٥٦٦٦٦١١١١ ۴۴۴۴۵۵۵۵۶۶۶۶۱۱۱۱",
    "[number] [number] [number]"
  ],
  ["escaped for a URL", "card=4444%205555%C2%A06666%2D1111&x=1", "card=[number]&x=1"],
  ["plus signs of a form", "card=4444+5555+6666+1111", "card=[number]"],
  ["escaped twice", "4444%25205555%25206666%25201111", "[number]"],
  ["escaped digits", "%34%34%34%34555566661111 \\u0034444555566661111", "[number] [number]"],
  ["a percent sign that is no escape", "50%4444555566661111", "50%[number]"],
  ["escaped for JSON", '{"card":"4444\\u00205555\\n6666\\/1111"}', '{"card":"[number]"}'],
  ["escaped for HTML", "4444&nbsp;5555&#160;6666&#xa0;1111", "[number]"]
]

const unchanged: ReadonlyArray<readonly [what: string, text: string]> = [
  ["a wrong check digit", "4444555566661112"],
  ["a prefix of no brand", "1111111111111117"],
  ["a length that the brand does not have", "424242424242428"],
  ["a time in milliseconds and one as text", "1795747512123 2026-11-27T02:45:12.123Z"],
  ["amounts", "6234.00 1250.50 310.20 EUR, 60111234.50 JPY"],
  ["an order's number and a reference", "order 119603123456789012, reference 4539982641703575009-sale-0"],
  ["a UUID", "00000000-0000-0000-8123-456789012340"],
  ["a hash", "9f2c6011000990139424aa3d4e5f60718293a4b5c6d7e8f9"],
  ["an account number", "GB29 NWBK 6016 1331 9268 19, DE89370400440532013000"],
  ["telephones", "+63 917 123 4567, 0063 917 123 4567, +639171234567"],
  ["a bank's references", "rrn 633104000003, RRN: 633104000003, arn 24444555566661191203512"],
  ["a telephone without a plus", 'phone 639171234565, {"msisdn":"639171234565"}'],
  ["escapes without digits", "100%25 of 20%20 \\u0020 &nbsp;"]
]

describe("text of people and other systems", () => {
  it.each(masked)("is masked: %s", (_, text, result) => assert.strictEqual(CardText.mask(text), result))
  it.each(unchanged)("stays as it is: %s", (_, text) => assert.strictEqual(CardText.mask(text), text))

  it("is masked whatever script writes the digits", () => {
    const digits = Array.from({ length: 0x20000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((char) => /\p{Nd}/u.test(char))
    assert.isAtLeast(digits.length, 650)
    for (let at = 0; at < digits.length; at += 10) {
      const number = [..."4444555566661111"].map((digit) => digits[at + Number(digit)]).join("")
      assert.strictEqual(
        CardText.mask(number),
        CardText.placeholder,
        `from ${digits[at]?.codePointAt(0)?.toString(16)}`
      )
    }
  })
})

/** Numbers from a seed, so that each run counts the same lines. */
const random = () => {
  let state = 20261127
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const lines = (count: number): ReadonlyArray<string> => {
  const next = random()
  const digits = (length: number): string => Array.from({ length }, () => next(10)).join("")
  const hex = (length: number): string => Array.from({ length }, () => next(16).toString(16)).join("")
  // A year, in which the numbers of orders begin with 1 or 2. In 2029 they begin with 4, and one of ten would be masked in text.
  const millis = () => 1_795_747_500_000 + next(2 ** 30) * 29
  const orderId = () => ((BigInt(millis() - 1_767_225_600_000) << 22n) | BigInt(next(2 ** 22))).toString()
  const time = () => new Date(millis()).toISOString()
  const amount = () => `${next(10_000)}.${digits(2)}`
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  const kinds: ReadonlyArray<() => string> = [
    () => `order ${orderId()} was declined at ${time()}`,
    () => `no answer to ${orderId()}-sale-${next(4)} within ${next(60_000)} ms`,
    () => `serial-number ${"00000000-0000-0000-"}${hex(4)}-${hex(12)}`,
    () => `event ${uuid()} of ${uuid()}`,
    () => `at ${millis()} the account had ${amount()} EUR, ${amount()} USD and ${amount()} JPY`,
    () => `amounts ${amount()} ${amount()} ${amount()}`,
    () => `${time().slice(0, 10)} ${time().slice(11, 19)} ${amount()} ${digits(6)}`,
    () => `phone +${1 + next(98)} ${digits(3)} ${digits(3)} ${digits(4)}`,
    () => `ip ${next(256)}.${next(256)}.${next(256)}.${next(256)} port ${next(65_536)} took ${next(1000)} ms`,
    () => `trace ${hex(32)} span ${hex(16)} sha256 ${hex(64)}`,
    () =>
      `charge ${digits(8)}:${next(40)} of cardrefid ${digits(8)} approval ${digits(6)} rrn 6${String(1 + next(365)).padStart(3, "0")}${digits(8)}`,
    () => `{"status":"declined","code":${100 + next(900)},"batch":${digits(5)},"atMs":${millis()}}`,
    () => `GET /status?order=${orderId()}&at=${encodeURIComponent(time())} ${200 + next(400)} ${next(9000)}`,
    () => `invoice INV-${time().slice(0, 4)}-${digits(6)} customer ${digits(7)}, postal code ${digits(5)}`
  ]
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.() ?? "")
}

describe("ordinary lines with identifiers, amounts and times", () => {
  it("are changed in at most one of a thousand lines", () => {
    const wrong = lines(100_000).filter((line) => CardText.mask(line) !== line)
    assert.isAtMost(wrong.length, 100, wrong.slice(0, 20).join("\n"))
  })
  it("are masked if a card number of any brand stands among them", () => {
    const next = random()
    const prefixes = ["4", "51", "2221", "34", "37", "36", "6011", "65", "3528", "6221", "50", "2200", "676770"]
    const missed = lines(5000).flatMap((line, index) => {
      const prefix = prefixes[index % prefixes.length] ?? ""
      const length = prefix.startsWith("3") && prefix.length === 2 ? (prefix === "36" ? 14 : 15) : 16
      const body = prefix + Array.from({ length: length - 1 - prefix.length }, () => next(10)).join("")
      const number = [..."0123456789"].map((digit) => body + digit).find(Card.luhn) ?? ""
      const words = line.split(" ")
      const text = [...words.slice(0, 2), `card:${number};`, ...words.slice(2)].join(" ")
      return CardText.mask(text).includes(number) ? [text] : []
    })
    assert.deepStrictEqual(missed, [])
  })
})
