// How the PostgreSQL of the history is connected to, by the service and by commands alike.
import type { Redacted } from "effect"

/**
 * Statements are not prepared by name: a pooler in transaction mode, such as PgBouncer, gives every transaction another connection,
 * on which the name is not known.
 */
export const optionsOf = (url: Redacted.Redacted, maxConnections: number) =>
  ({ url, maxConnections, prepare: false }) as const
