import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Keyring, loadKeyring } from '@rubrica/process/keyring';
import type { StackInfo } from '@rubrica/stack';
import { startPartner, type TestPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { byTwoAdministrators, operatorActor } from '../../e2e/support/operator-actor.ts';
import { startWithNpm } from '../stack-process.ts';
import type { KnownValues, Operator } from './calls.ts';
import { fillDatabase } from './fill/fill-database.ts';
import { preparePlans } from './plans/plan-log.ts';

const partnerCount = 20;

/** A stack with this number of requests in its database. */
export interface StoredStack extends AsyncDisposable {
  readonly requests: number;
  /** Time from the start with all of them to all services ready. */
  readonly readyMs: number;
  readonly home: string;
  readonly folder: string;
  readonly info: StackInfo;
  readonly client: Client;
  readonly operator: Operator;
  /**
   * Partners with many and with few stored requests: reads a list over REST.
   * @throws Error with the status of a refusal
   */
  readonly partners: Readonly<Record<'largePartner' | 'smallPartner', ReadList>>;
  readonly partner: TestPartner;
}

type ReadList = (path: string, query: Readonly<Record<string, string>>) => Promise<unknown>;

export interface StoredStackOptions {
  readonly requests: number;
  readonly port: number;
  /** Settings of PostgreSQL's planner from the second start on. */
  readonly planner?: Readonly<Record<string, string>>;
}

/** Fills a new stack and restarts it, so that all sessions and plans are of the filled database. */
export async function startStored(
  { requests, port, planner = {} }: StoredStackOptions,
  say: (text: string) => void,
): Promise<StoredStack> {
  await using owned = new AsyncDisposableStack();
  const place = owned.use(await stackHome('bench-stored'));
  {
    await using empty = await startWithNpm(place.home, { port });
    await place.remember(empty.info.databaseUrl);
    const keyring = await loadGenerationKeys(place.home);
    await fill(empty.info, { requests, planner, keyring }, say);
  }
  const { info, readyMs } = owned.use(await startWithNpm(place.home, { port }));
  const client = new Client({ connectionString: info.databaseUrl });
  await client.connect();
  owned.defer(() => client.end());
  const partner = owned.use(await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox }));
  const operator = await operatorActor(info, 'admin');
  const { largePartner, smallPartner } = await knownValues(client);
  const held = owned.move();
  return {
    requests,
    readyMs,
    home: place.home,
    folder: place.folder,
    info,
    client,
    operator,
    partners: {
      largePartner: await partnerReader(info, largePartner),
      smallPartner: await partnerReader(info, smallPartner),
    },
    partner,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Creates a reader with an API token that two administrators issue. */
async function partnerReader(info: StackInfo, id: string): Promise<ReadList> {
  const expiresAt = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString();
  const { token } = await byTwoAdministrators(info, 'partners.issueToken', {
    id,
    name: 'reads lists',
    expiresAt,
    reason: 'measures lists',
  });
  return async (path, query) => {
    const answer = await fetch(`${info.baseUrl}${path}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}

function loadGenerationKeys(home: string): Promise<Keyring> {
  const keys = join(home, 'state', 'keys');
  const files = { keysFile: join(keys, 'generation.json'), peersFile: join(keys, 'peers.json') };
  return loadKeyring(files, 'generation');
}

async function fill(
  info: StackInfo,
  { requests, planner, keyring }: Required<Omit<StoredStackOptions, 'port'>> & { readonly keyring: Keyring },
  say: (text: string) => void,
): Promise<void> {
  for (let index = 0; index < partnerCount; index += 1)
    await byTwoAdministrators(info, 'partners.create', {
      name: `Partner ${index}`,
      email: `partner-${index}@rubrica.test`,
      reason: 'has stored requests',
    });
  await using owned = new AsyncDisposableStack();
  const client = new Client({ connectionString: info.databaseUrl });
  await client.connect();
  // Before the stack ends, in any case: a connection that the server ends causes an unhandled error.
  owned.defer(() => client.end());
  const { rows } = await client.query<{ id: string }>(
    "select id from intake.partner where name like 'Partner %' order by id",
  );
  const startedAt = performance.now();
  await fillDatabase(client, {
    requests,
    partnerIds: rows.map(({ id }) => id),
    keyring,
    onProgress: (filled) => say(`  ${filled} of ${requests} requests, ${seconds(startedAt)} s`),
  });
  await client.query('vacuum analyze');
  say(`  vacuumed and analysed, ${seconds(startedAt)} s`);
  await preparePlans(client, planner);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}

/** Reads the values of a request in the middle of the stored ones, which was issued and not erased. */
export async function knownValues(client: Client): Promise<KnownValues> {
  const { rows } = await client.query<KnownValues>(`
    with middle as (
      select * from intake.request where status = 'GENERATED' and reference_transaction like 'STORED-%'
        and created_at < now() - interval '1 year' order by created_at desc limit 1
    ), sizes as (
      select partner_id, count(*) as count from intake.request where reference_transaction like 'STORED-%' group by partner_id
    )
    select (select partner_id from sizes order by count desc limit 1) as "largePartner",
      (select partner_id from sizes order by count limit 1) as "smallPartner",
      middle.id as "requestId", reference_transaction as reference, identification_number as applicant,
      serial_number as "serialNumber", (select id from notifier.delivery where request_id = middle.id) as "deliveryId",
      details ->> 'email' as email, concat_ws(' ', details ->> 'applicantName', details ->> 'applicantLastName') as name,
      to_char(middle.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since,
      to_char((middle.created_at + interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until
    from middle`);
  const [known] = rows;
  if (known === undefined) throw new Error('nothing was stored');
  return known;
}

/** Makes the retention of this number of the oldest issued requests end now. */
export async function endRetention(client: Client, count: number): Promise<void> {
  await client.query(
    `update intake.request set evidence_due_at = now() where id in (
      select id from intake.request where status = 'GENERATED' and reference_transaction like 'STORED-%'
      order by created_at limit $1)`,
    [count],
  );
}

/**
 * Measures the time to erase all requests that are due at once, from the first removal; their evidence is not filled.
 * It observes from outside, because all of one round of the sweeper have the same `erased_at`.
 */
export async function measureRetention(client: Client, count: number): Promise<number> {
  await endRetention(client, count);
  const all = await countDue(client);
  let left = all;
  const start = performance.now();
  let from = start;
  while (left > 0) {
    if (performance.now() - start > 300_000) throw new Error(`${left} of ${all} are not erased`);
    await delay(50);
    left = await countDue(client);
    if (left === all) from = performance.now();
  }
  return performance.now() - from;
}

async function countDue(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from intake.request where evidence_due_at <= now() and legal_hold_at is null',
  );
  return rows[0]?.count ?? 0;
}

/** Waits until they were erased, at most for two rounds of the loop. */
export async function untilErased(client: Client): Promise<void> {
  for (let round = 0; round < 150 && (await countDue(client)) > 0; round += 1) await delay(1_000);
}
