import type { Database } from '../../src/connection/index.ts';
import { emit } from '../../src/outbox/index.ts';
import { createRelay, type Publish, type Relay, type RelayTuning } from '../../src/relay/index.ts';
import type { Fixture } from './fixture.ts';
import { quiet } from './quiet.ts';

/** Looks at its table only when woken, so that a test sees the waking and not the polling. */
export const onlyWhenWoken = { pollMs: 3_600_000 };

export interface RelayCopy extends AsyncDisposable {
  readonly relay: Relay;
  readonly database: Database;
}

/** One copy of a service: its pool and its relay, started. */
export function relayCopy(
  fixture: Fixture,
  publish: Publish,
  options: { tuning?: Partial<RelayTuning> } = {},
): RelayCopy {
  const database = fixture.open();
  const { appUrl: databaseUrl } = fixture.service;
  const relay = createRelay({ databaseUrl, database, publish, logger: quiet, ...options });
  relay.start();
  return { relay, database, [Symbol.asyncDispose]: () => relay.stop() };
}

/** Commits one event per id, each in a transaction of its own. */
export async function emitEach(
  database: Database,
  ids: readonly string[],
  subject = 'jobs.test.run',
): Promise<void> {
  for (const id of ids) {
    await database.transaction((em) => emit(em, { subject, id, payload: { id } }));
  }
}

export const testEvent = (id: string) => ({ subject: 'jobs.test.run', id, payload: {} });

export const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

export async function unpublished(database: Database): Promise<number> {
  const [row] = await database.execute<{ n: number }>(
    'select count(*)::int as n from outbox where published_at is null',
  );
  return row?.n ?? 0;
}
