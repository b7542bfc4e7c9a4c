/** The bookings that a bank or a payout rail has made, and the ports that list them. */

export * from "../orders/bank/BankBooks.ts"
export * from "../orders/record/Booking.ts"
