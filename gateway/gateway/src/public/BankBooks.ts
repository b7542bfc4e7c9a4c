/** The bookings that a bank or a payout rail has made, and the ports that list them. */

export * from "../orders/BankBooks.ts"
export * from "../orders/Booking.ts"
