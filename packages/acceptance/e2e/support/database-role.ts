import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { Client } from 'pg';
import type { Scene } from './scene.ts';
import { readPartnerSettings } from './stolen-service.ts';

/** A connection with the database rights of a running service, and nothing else of it. */
export interface DatabaseRole extends AsyncDisposable {
  /** Queries in the schema of the service. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export async function databaseRole(
  scene: Scene,
  service: Exclude<ServiceName, 'gateway'>,
): Promise<DatabaseRole> {
  const { database } = await readPartnerSettings(scene);
  const url = new URL(scene.stack.info().databaseUrl);
  url.username = `rubrica_${service}`;
  url.password = database[service]?.appPassword ?? '';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return {
    query: async <Row>(sql: string, params: readonly unknown[] = []) =>
      (await client.query(sql, [...params])).rows as Row[],
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** SQL with which intake's role orders a certificate for a request, as intake itself would. */
export const orderedByHand = `
insert into outbox (message_id, subject, payload)
values ('issue:' || $1::text || ':1', 'jobs.certificate.issue', jsonb_build_object('requestId', $1::text, 'attempt', 1))
on conflict do nothing`;
