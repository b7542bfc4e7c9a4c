/** What gateways wrote that leaves no trace in the end, counted by triggers in their database. */
import { Effect } from "effect"
import * as Session from "../../postgres/Session.ts"

const install = `
CREATE SCHEMA soak;
CREATE TABLE soak.happened (what text NOT NULL);
CREATE FUNCTION soak.note() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN INSERT INTO soak.happened VALUES (TG_ARGV[0]); RETURN NULL; END $$;
CREATE TRIGGER takeover AFTER UPDATE ON pay.jobs FOR EACH ROW
  WHEN (OLD."openAttempts" > 0 AND OLD.token IS NOT NULL AND NEW.token IS NOT NULL AND OLD.token <> NEW.token)
  EXECUTE FUNCTION soak.note('takeover');
CREATE TRIGGER unknown AFTER UPDATE ON pay.requests FOR EACH ROW
  WHEN (OLD.progress <> 'unknown' AND NEW.progress = 'unknown')
  EXECUTE FUNCTION soak.note('unknown');
`

export interface Counts {
  /** Jobs that one gateway had begun and another claimed when the lease was over. */
  readonly takeovers: number
  /** Requests of which nobody knew the outcome for a while. */
  readonly unknowns: number
  readonly orders: number
  readonly callbacks: number
}

export const begin = (database: string) => Effect.orDie(Session.query({ connectionString: database }, install))

const read = `SELECT
  (SELECT count(*)::int FROM soak.happened WHERE what = 'takeover') AS takeovers,
  (SELECT count(*)::int FROM soak.happened WHERE what = 'unknown') AS unknowns,
  (SELECT count(*)::int FROM pay.orders) AS orders,
  (SELECT count(*)::int FROM pay.callbacks) AS callbacks`

export const now = (database: string) =>
  Effect.map(
    Effect.orDie(Session.query({ connectionString: database }, read)),
    ([row]): Counts => ({
      takeovers: Number(row?.takeovers),
      unknowns: Number(row?.unknowns),
      orders: Number(row?.orders),
      callbacks: Number(row?.callbacks)
    })
  )
