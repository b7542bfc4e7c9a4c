import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Canonical from "../src/Canonical.ts"
import * as Iban from "../src/Iban.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const { PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK } = PayApi.operations

const payout = (account_number: string) => {
  const { credit_card_number: _, ...fields } = Sample.request(PAYOUT)
  return { ...fields, account_number }
}

const notIban = "is not a valid IBAN: it does not begin with a country that has IBANs"
const checkDigits = "is not a valid IBAN: its check digits do not fit"
const neither = "must be an IBAN, or digits and letters with single hyphens"

describe("an account number", () => {
  it.each([
    ["DE89370400440532013000", "DE89370400440532013000"],
    ["de89370400440532013000", "DE89370400440532013000"],
    ["DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    ["DE89-3704-0044-0532-0130-00", "DE89370400440532013000"],
    ["DE89.3704.0044.0532.0130.00", "DE89370400440532013000"],
    ["DE89/3704/0044/0532/0130/00", "DE89370400440532013000"],
    ["DE89\u00a03704\u202f0044\u20090532\u30000130\t00", "DE89370400440532013000"],
    ["\ufeffDE89\u200b3704\u20600044\u00ad0532013000", "DE89370400440532013000"],
    ["DE89\u20113704\u20130044\u22120532\u2014013000", "DE89370400440532013000"],
    ["DE89\r\n3704 0044 0532 0130 00", "DE89370400440532013000"],
    ["IBAN DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    ["iban: de89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    ["IBANDE89370400440532013000", "DE89370400440532013000"],
    ["IBAN-Nr.: DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    ["IBAN No. DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    ["IBAN number: NO93 8601 1117 947", "NO9386011117947"],
    ["ＤＥ８９ ３７０４ ００４４ ０５３２ ０１３０ ００", "DE89370400440532013000"],
    ["DE٨٩٣٧٠٤٠٠٤٤٠٥٣٢٠١٣٠٠٠", "DE89370400440532013000"],
    ["gb82west12345698765432", "GB82WEST12345698765432"],
    ["MT84 MALT 0110 0001 2345 MTLC AST0 01S", "MT84MALT011000012345MTLCAST001S"],
    ["NO93 8601 1117 947", "NO9386011117947"],
    ["IBAN NO93 8601 1117 947", "NO9386011117947"],
    ["123412341234", "123412341234"],
    ["1234 1234 1234", "123412341234"],
    ["1234.56.78903", "12345678903"],
    ["02-1234-1234567-00", "02-1234-1234567-00"],
    ["80\u20132\u20132", "80-2-2"],
    ["１２３４５６７８", "12345678"],
    ["12345-x", "12345-X"],
    ["21000418450200051332", "21000418450200051332"]
  ])("is accepted in its normal form: %j", (text, normal) => {
    const [decoded, again] = [Result.getOrThrow(PAYOUT.decodeFields(payout(text))), PAYOUT.normalFields(payout(text))]
    expect(again.account_number).toBe(normal)
    expect(PAYOUT.encodeRequest(decoded).account_number).toBe(normal)
    expect(Iban.normalAccount(normal)).toBe(normal)
    expect(Canonical.card(PAYOUT, payout(text))).toBe(Canonical.card(PAYOUT, payout(normal)))
  })

  it.each([
    ["de89370400440532013001", checkDigits],
    ["DE98370400440532013000", checkDigits],
    ["GB82west12345698765431", checkDigits],
    ["DE89-3704-0044-0532-0130-01", checkDigits],
    ["IBAN DE89 3704 0044 0532 0130 01", checkDigits],
    ["DE89 3704 0044 0532 013O 00", checkDigits],
    ["DEB9 3704 0044 0532 0130 00", checkDigits],
    ["DE89370400440532031000", checkDigits],
    ["DE8937040044053201300", "is not a valid IBAN: it has 21 characters instead of 22"],
    ["DE893704004405320130000", "is not a valid IBAN: it has 23 characters instead of 22"],
    ["DE89", "is not a valid IBAN: it has 4 characters instead of 22"],
    ["ED89370400440532013000", notIban],
    ["D389370400440532013000", notIban],
    ["0E89370400440532013000", notIban],
    ["89DE370400440532013000", notIban],
    ["US89370400440532013000", notIban],
    ["IBAN 12345678", notIban],
    ["ДЕ89370400440532013000", notIban],
    ["AB123456", notIban],
    ["1234/0800", neither],
    ["1234--5678", neither],
    ["-12345678", neither],
    ["1234é678", neither],
    ["----", neither],
    ["1".repeat(35), "is longer than 34 characters"],
    ["1 ".repeat(35), "is longer than 34 characters"]
  ])("is refused if it is neither a right IBAN nor a domestic number: %j: %s", (text, says) => {
    for (const operation of [PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK])
      expect(operation.infos.get("account_number")?.flaw(text)?.says).toBe(says)
  })
})
