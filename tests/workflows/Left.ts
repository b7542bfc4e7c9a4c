import type { Parts } from "../LeftForTestAll.ts"

/** What `npm test` leaves to `npm run test:all` here. */
export const left: Parts = [
  // Durable flows on runners over PostgreSQL, 12 s. `packages/flows` tests runners in one process.
  "a merchant's flows on two runners over PostgreSQL",
  // Their races, in 50 rounds each, and the takeover of a turn and of an attempt, 70 s. `packages/flows` races on a runner.
  "two runners over PostgreSQL that race",
  // Two thirds of all pairs of a flow and a fault, and flows whose process is killed or whose customer leaves, 45 s. Flows of each
  // kind stay.
  ", as the others: ",
  // Flows on a file at gateways that do only what the specification says, 25 s. In memory all stay.
  "flows on a file at a gateway",
  // Each flow with each fault of one process on a file, 25 s. Flows of each kind stay.
  "on a file, as the others",
  // Each flow with each fault of one process on a cluster, 90 s: a customer who leaves is waited for in many steps. A capture stays.
  "on a cluster, as the others",
  "the flow CardSale > on a cluster",
  "the flow CardSale, 3DS merchant > on a cluster",
  "the flow PayOut > on a cluster",
  // Flows with each fault of one process on a file, 6 s. Two sales stay.
  "the flow Capture, a part > on a file",
  "the flow PayOut > on a file",
  // Operators' calls on the cluster, 15 s, most of it waiting. Identities and attempts stay there, and these calls on memory and file.
  "operations on the engine of cluster > ",
  // A customer who waits for a next page over two processes, 10 s. The shops that are killed 200 times have such customers.
  "a durable client > shows the customer's browser its next page also in the next process",
  // Many signals around suspensions on each engine, 60 s. Those of 20 flows stay.
  "wakes each of 200 flows whose signal arrives around their suspension",
  // Three gateways that start and stop, from 17 further seeds, 5 s.
  ...Array.from({ length: 17 }, (_, index) => `(memory) > seed ${index + 4}: every acknowledged order ends once`),
  // Flows with faults at gateways that only do what the specification says, in further settings, 15 s.
  "a gateway that executes a repeated request again and omits every optional field, in the older dialect",
  "a gateway that refuses a repeated request, in the older dialect",
  "for an unknown order in its profile, in the older dialect",
  "in the older dialect > merchant killed: approved",
  "3-D Secure run by the shop > issuer-slow, pass: approved",
  // Each pair of actions and each loss on the stored engines, 60 s. In memory all stay, and on each stored engine two refunds.
  "at a gateway without keys, on a file, each pair",
  "at a gateway without keys, on a cluster, each pair",
  // Trips of three suppliers whose process is killed at each step, in 50 runs each, 60 s on a file and 120 s on a cluster. The same trips
  // killed at random stay, on a cluster one that is declined.
  ...["file", "cluster"].map((on) => `a trip of three suppliers on a ${on} engine > killed at each step: `),
  ...["one is declined and answers", "the answers"].map(
    (cause) => `on a cluster engine > killed again and again: releases the others if ${cause}`
  ),
  "killed again and again: captures each amount once",
  "killed again and again: goes on if the gateway is killed, too",
  // Files of durable flows with two to four processes each, 12 s. `packages/sqlite` tests the ways to a file that is open.
  "is refused to a second process: through a hard link",
  "is refused to a second process: after it was renamed",
  "ask first: in its place",
  "ask first: with its own witness",
  "ask first: without a witness",
  "is continued after exit, and where it was renamed",
  // A capture of a part with each fault in memory, 8 s. The capture of all stays.
  "the flow Capture, a part > request ",
  // Files of durable flows in further processes, 11 s. A copy that is continued stays.
  "a file of durable flows that a process has open > is refused as a copy, with its log and its witness",
  "a file of durable flows that a process has open > is refused to a second process: under its name"
]
