// Connection options for the history's PostgreSQL, for the service and its commands.
import type { Redacted } from "effect"

/**
 * Disables named prepared statements. A pooler in transaction mode, such as PgBouncer, may run each transaction on
 * another connection, which does not have them.
 */
export const optionsOf = (url: Redacted.Redacted, maxConnections: number) =>
  ({ url, maxConnections, prepare: false }) as const
