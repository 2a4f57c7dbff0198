import { databaseServiceSchema, type ServiceName } from '@rubrica/contracts/shared/enumerations';
import { termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { disposeAfterAll } from '@rubrica/testkit';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queryStack } from '../support/ledger.ts';
import { operatorActor } from '../support/operator-actor.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { readPartnerSettings } from '../support/stolen-service.ts';

/** Attacker with the database role of terms, on a stack whose services share one database. */
const scene = await disposeAfterAll(openScene({ copies: { intake: 2 } }));
const own = new URL(scene.stack.info().databaseUrl);
own.username = 'rubrica_terms';
own.password = (await readPartnerSettings(scene)).database.terms?.appPassword ?? '';
const url = own.href;

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const ask = <Row>(sql: string, params: unknown[] = []) => queryStack<Row>(scene.stack, sql, params);

/** Names of the advisory locks of release 0.1.0, as its source has them. */
const names = [
  'intake operators',
  'intake administrators',
  ...termsTypeSchema.options.map((type) => `terms.active.${type}`),
  ...databaseServiceSchema.options.flatMap((service) =>
    ['relay', 'audit', 'migrate'].map((what) => `rubrica ${what} ${service}`),
  ),
  ...['wake-stuck', 'expire-requests', 'purge-outbox'].map((task) => `rubrica sweeper intake ${task}`),
];

/**
 * Holds what is free, and waits in line for what is not: it falls to the attacker when its owner ends. The role has the right that it
 * has beside release 0.1.0, and more.
 */
async function holdAll(): Promise<void> {
  await ask(
    'grant execute on function pg_try_advisory_lock(bigint), pg_advisory_lock(bigint) to rubrica_terms',
  );
  const holding = await connect();
  const tried = await holding.query<{ key: string; held: boolean }>(
    `select key::text, pg_try_advisory_lock(key) as held from (
       select hashtextextended(name, 0) as key from unnest($1::text[]) as name
       union select hashtext('operator_identity')::bigint) as keys`,
    [names],
  );
  const seen = await ask<{ key: string }>(
    `select distinct ((classid::bigint << 32) | objid::bigint)::text as key from pg_locks
     where locktype = 'advisory' and objsubid = 1 and granted
       and pid not in (select pid from pg_stat_activity where usename = 'rubrica_terms')`,
  );
  const taken = [...tried.rows.filter(({ held }) => !held), ...seen].map(({ key }) => key);
  for (const key of new Set(taken)) {
    const waiting = await connect();
    waiting.query('select pg_advisory_lock($1::bigint)', [key]).catch(() => undefined);
  }
  await until('every lock is held or waited for', async () => {
    const [row] = await ask<{ count: number }>(
      `select count(distinct (classid, objid))::int as count from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and usename = 'rubrica_terms'`,
    );
    return (row?.count ?? 0) > names.length || undefined;
  });
}

/** Ends the session of the active copy; another, or the same, begins anew. */
const failOver = (service: ServiceName, part: 'relay' | 'audit') =>
  ask(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`, [
    `rubrica-${service}-${part}`,
  ]);

describe('terms’s database role: fill the table of locks that all services share', () => {
  it('takes no advisory lock and makes no large object, and a request is registered', async () => {
    const client = await connect();
    for (const attempt of [
      'select pg_advisory_lock(1, g) from generate_series(1, 24000) g',
      'select pg_try_advisory_lock_shared(g) from generate_series(1, 24000) g',
      'select lo_create(0) from generate_series(1, 24000)',
    ])
      await expect(client.query(attempt)).rejects.toThrow('permission denied');
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    await sandbox.reaches(reference, 'GENERATED');
  });
});

describe('terms’s database role: hold the locks of the others', () => {
  it('has no right on the rows that are their locks', async () => {
    const client = await connect();
    for (const service of ['intake', 'generation', 'notifier'])
      await expect(client.query(`select from ${service}.named_lock for update`)).rejects.toThrow(
        'permission denied',
      );
  });

  it('keeps no administrator from disabling an operator', async () => {
    await holdAll();
    const admin = await operatorActor(scene.stack.info(), 'admin');
    const { items } = await admin.call('operators.list', {});
    const reviewer = items.find(({ role, enabled }) => role === 'reviewer' && enabled);
    await admin.call('operators.disable', {
      operatorId: reviewer?.operatorId ?? '',
      reason: 'it was stolen',
    });
    const after = await admin.call('operators.list', {});
    expect(after.items.find(({ operatorId }) => operatorId === reviewer?.operatorId)?.enabled).toBe(false);
  });

  it('stops no relay at a failover: a request comes to its certificate', async () => {
    await holdAll();
    for (const service of ['intake', 'generation'] as const) await failOver(service, 'relay');
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    await sandbox.reaches(reference, 'GENERATED');
  });

  it('stops no audit chain at a failover: rows get their places', async () => {
    await holdAll();
    for (const service of databaseServiceSchema.options) await failOver(service, 'audit');
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    await sandbox.reaches(reference, 'GENERATED');
    await until('every row has its place', async () => {
      const [row] = await ask<{ count: number }>(
        `select (select count(*) from intake.audit where chain_sequence is null)::int
           + (select count(*) from generation.audit_entry where chain_sequence is null)::int as count`,
      );
      return row?.count === 0 || undefined;
    });
  });
});

describe('terms’s database role: use up all connections', () => {
  it('gets as many as its limit, and a new copy of intake connects and works', async () => {
    const clients = Array.from({ length: 183 }, () => {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      return client;
    });
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
    const connected = await Promise.allSettled(clients.map((client) => client.connect()));
    const refused = connected.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused).toContainEqual(expect.stringContaining('too many connections for role'));
    expect(183 - refused.length).toBeLessThanOrEqual(30);
    await scene.stack.services.intake.kill();
    await scene.stack.services.intake.ready();
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    await sandbox.reaches(reference, 'GENERATED');
  });
});
