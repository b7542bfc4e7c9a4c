/**
 * What an operation does, as data: creates an order (or a recurring payment), acts on an order, acts on a recurring
 * payment, or only reads. Idempotency, retry and documents follow from it.
 */
export type Acts = "creates" | "onOrder" | "onSubscription" | "reads"
