import type { ClientConfig } from 'pg';
import { quoteIdentifier } from './identifiers.ts';
import { sessionSettings } from './session-settings.ts';

export interface ConnectionSettings {
  readonly url: string;
  readonly schema: string;
  readonly applicationName: string;
  readonly statementTimeoutMs: number;
  /**
   * The connection leads through a pooler in transaction mode, which accepts no start-up options: the role's defaults
   * set the same values.
   */
  readonly pooled?: boolean;
  /** Further server settings, sent when the connection starts. */
  readonly serverSettings?: Readonly<Record<string, string>>;
}

/**
 * Builds the configuration of every connection. `search_path` names only the service's schema, so a statement cannot
 * reach a table of another schema by accident; `sessionSettings` make the text of numbers and times equal on every
 * machine.
 */
export function connectionConfig(settings: ConnectionSettings): ClientConfig {
  quoteIdentifier(settings.schema);
  const server: Record<string, string> = {
    search_path: settings.schema,
    ...sessionSettings,
    statement_timeout: String(settings.statementTimeoutMs),
    // A peer that vanished silently is noticed after about 25 s on either side, not after two hours.
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    ...settings.serverSettings,
  };
  const ours: ClientConfig = {
    connectionString: settings.url,
    application_name: settings.applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  if (settings.pooled) return ours;
  return {
    ...ours,
    options: Object.entries(server)
      .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
      .join(' '),
  };
}
