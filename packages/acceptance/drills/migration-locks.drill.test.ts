import { pollFor } from '@rubrica/testkit';
import { formerRelease, hasFormerRelease } from '@rubrica/testkit/former-release';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startWithNpm } from '../bench/stack-process.ts';
import { fillDatabase } from '../bench/stored/fill/fill-database.ts';
import { longestWaits } from './support/lock-probe.ts';
import { say, sayTable } from './support/say.ts';

/** Two million steps, and more words: the tables with most rows. */
const requests = 500_000;
const mostWaitMs = 1_000;

/** What registrations, issuance and deliveries write to. */
const tables = [
  'intake.request',
  'intake.evidence',
  'intake.timeline',
  'intake.request_word',
  'intake.webhook_event',
  'intake.outbox',
  'generation.issuance',
  'generation.serial_number',
  'generation.certificate',
  'generation.certificate_word',
  'notifier.delivery',
  'notifier.delivery_attempt',
];

it.skipIf(!hasFormerRelease())(
  'no migration since the release before holds a lock on a table of two million rows for over a second',
  { timeout: 3_000_000 },
  async () => {
    await using place = await stackHome('migration-locks');
    const { folder, version } = await formerRelease();
    const port = await freePort();
    let databaseUrl: string;
    {
      await using former = await startWithNpm(place.home, { port, cwd: folder });
      ({ databaseUrl } = former.info);
      await place.remember(databaseUrl);
      await fill(databaseUrl);
    }
    say(`upgrading ${version} with ${requests} requests`);
    const starting = startWithNpm(place.home, { port });
    starting.catch(() => undefined);
    const answers = () => withClient(databaseUrl, async () => true).catch(() => false);
    await pollFor(answers, { deadlineMs: 120_000, everyMs: 20, what: 'PostgreSQL' });
    const waits = await longestWaits(databaseUrl, tables, () => starting);
    await using _upgraded = await starting;
    sayTable(Object.entries(waits).map(([table, ms]) => [table, `${ms.toFixed(0)} ms`]));
    expect(Object.entries(waits).filter(([, ms]) => ms > mostWaitMs)).toEqual([]);
  },
);

async function fill(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from intake.partner order by id');
    await fillDatabase(client, {
      requests,
      partnerIds: rows.map(({ id }) => id),
      isFormer: true,
      onProgress: (filled) => say(`${filled} of ${requests} requests filled`),
    });
    await client.query('vacuum analyze');
  });
}

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  // A server that is starting ends what comes too early.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
