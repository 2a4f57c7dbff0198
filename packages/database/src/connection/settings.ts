import type { ClientConfig } from 'pg';
import { quoteIdentifier } from './identifiers.ts';
import { sessionSettings } from './session-settings.ts';

export interface ConnectionSettings {
  readonly url: string;
  readonly schema: string;
  readonly applicationName: string;
  readonly statementTimeoutMs: number;
  /** Through a pooler in transaction mode, which takes no start-up options: the role's own defaults say the same. */
  readonly pooled?: boolean;
  /** Further server settings, sent when the connection starts. */
  readonly serverSettings?: Readonly<Record<string, string>>;
}

/**
 * How every connection of ours begins. `search_path` names the service's schema alone, so a table of another
 * schema cannot be meant by accident; `sessionSettings` make the text of numbers and times the same on every machine.
 */
export function connectionConfig(settings: ConnectionSettings): ClientConfig {
  quoteIdentifier(settings.schema);
  const server: Record<string, string> = {
    search_path: settings.schema,
    ...sessionSettings,
    statement_timeout: String(settings.statementTimeoutMs),
    // A peer that vanished without a word is noticed after about 25 s on either side, not after two hours.
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
