/** Building blocks of answers. Keys are kebab-case; absent values are left out. */
import { Schema, SchemaTransformation } from "effect"

const decoded = SchemaTransformation.transform<string, string | number>({ decode: String, encode: (text) => text })

/** Text that a gateway may also write as a JSON number. Identifiers and codes occur in both forms. */
export const text = (description: string, sample: string) =>
  Schema.Union([Schema.String, Schema.Finite])
    .pipe(Schema.decodeTo(Schema.String, decoded))
    .annotate({ description, examples: [sample] })

/** {@link text} that an answer may lack. */
export const optionalText = (description: string, sample: string) => Schema.optionalKey(text(description, sample))

/** Text of a list that may grow. A word that is not in the list is kept. */
export const openWord = (about: string, words: ReadonlyArray<string>) =>
  text(`${about} One of ${words.join(", ")}; more may come.`, words[0] ?? "")

/** The field `type`, which names the kind of answer. */
export const type = (sample: string) => text("The kind of answer.", sample)

export const SerialNumber = text("Identifies this request, not the order.", "00000000-0000-0000-0000-000002d9b22a")
export const OrderId = text("The gateway's identifier of the order: `orderid` of later requests.", "6768788")
export const MerchantOrderId = text("The merchant's own identifier of the order.", "902B4FF5")
export const EndPointId = text("The endpoint that took the order.", "1111")

/** Fields of every answer about an order. */
export const order = {
  "serial-number": SerialNumber,
  "paynet-order-id": OrderId,
  "merchant-order-id": MerchantOrderId,
  "end-point-id": Schema.optionalKey(EndPointId)
}

/** The fields of an order, for answers that are not always about an order. */
export const optionalOrder = {
  "paynet-order-id": Schema.optionalKey(OrderId),
  "merchant-order-id": Schema.optionalKey(MerchantOrderId),
  "end-point-id": Schema.optionalKey(EndPointId)
}
