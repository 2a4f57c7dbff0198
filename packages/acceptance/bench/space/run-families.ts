import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { pollFor, startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { type StackProcess, startWithNpm } from '../stack-process.ts';
import { formatSection, type Row } from '../table.ts';
import { claimByMail, type Person, type SpaceFamily, spaceFamilies } from './families.ts';
import { moving, sizeOf } from './stored-files.ts';

export interface FamiliesOptions {
  /** Requests of each family. */
  readonly count: number;
}

interface FamilySpace {
  readonly what: string;
  /** Octets of one, by service, and of JetStream's files. */
  readonly services: Readonly<Record<string, number>>;
  readonly store: number;
}

const measured = ['intake', 'generation', 'notifier'] as const;
/** After it no bundle is kept for anybody. */
const untilBundlesGo = 31;
const longMs = 3_600_000;

/**
 * What a request of each family takes when it was issued, its bundle's time is over and its evidence lies in the store. Tables
 * are written anew before they are measured, so that no page is half empty.
 */
export async function runFamilies({ count }: FamiliesOptions, say: (text: string) => void): Promise<boolean> {
  await using place = await stackHome('bench-families');
  await using stack = await startWithNpm(place.home, {
    env: { ...moving, EVIDENCE_BUCKET_BYTES: String(2 ** 32) },
  });
  await place.remember(stack.info.databaseUrl);
  await using owned = new AsyncDisposableStack();
  const client = new Client({ connectionString: stack.info.databaseUrl });
  await client.connect();
  owned.defer(() => client.end());
  const spaces: FamilySpace[] = [];
  const measure = async () => ({
    services: await spaceOfServices(client),
    store: await sizeOf(join(place.home, 'nats')),
  });
  // So that each table has its first page.
  for (const family of spaceFamilies) await issueAll(stack, { family, count: 1, client });
  for (const family of spaceFamilies) {
    const before = await measure();
    await issueAll(stack, { family, count, client });
    const after = await measure();
    const services = Object.fromEntries(
      measured.map((name) => [name, ((after.services[name] ?? 0) - (before.services[name] ?? 0)) / count]),
    );
    spaces.push({ what: family.what, services, store: (after.store - before.store) / count });
    say(`  ${family.what}: measured`);
  }
  say(formatSection(`kB of one request, so GB of a million; of ${count} each`, spaces.map(spaceRow)));
  return true;
}

async function issueAll(
  { info }: StackProcess,
  { family, count, client }: { family: SpaceFamily; count: number; client: Client },
): Promise<void> {
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  const token = await partner.rest.token();
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(info.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const references: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const person: Person = {
      callbackUrl: partner.receiver.url,
      email: `person.${crypto.randomUUID().slice(0, 13)}@correo.example`,
      cellphone: `+5939${String(randomInt(1e8)).padStart(8, '0')}`,
    };
    const body = family.body(person);
    await post(family.path, body);
    references.push(body.referenceTransaction);
    if (family.isClaimed) await claimByMail(info, person);
  }
  const left = (what: string, sql: string) =>
    pollFor(async () => (await client.query<{ left: number }>(sql, [references])).rows[0]?.left === 0, {
      deadlineMs: longMs,
      everyMs: 500,
      what,
    });
  const ours = 'from intake.request as r where reference_transaction = any($1)';
  await left('the certificates', `select count(*)::int as left ${ours} and status <> 'GENERATED'`);
  await left(
    'the webhooks',
    `select count(*)::int as left ${ours} and exists (
      select from notifier.delivery as d where d.request_id = r.id and d.state = 'PENDING')`,
  );
  for (const referenceTransaction of references)
    await post('/sandbox/advance', { referenceTransaction, days: untilBundlesGo });
  await left(
    'the end of the bundles',
    `select count(*)::int as left ${ours} and exists (
      select from generation.certificate as c join generation.bundle as b on b.certificate_id = c.id
      where c.request_id = r.id and b.purged_at is null)`,
  );
  await left(
    'the move',
    `select count(*)::int as left ${ours} and exists (
      select from intake.evidence as e where e.request_id = r.id and e.content is not null)`,
  );
}

/** Octets of the tables of each, without what is published, which goes after fourteen days. */
async function spaceOfServices(client: Client): Promise<Readonly<Record<string, number>>> {
  await client.query('vacuum full');
  const { rows } = await client.query<{ service: string; octets: number }>(
    `select n.nspname as service, sum(pg_total_relation_size(c.oid))::float8 as octets
     from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1) and c.relname <> 'outbox' group by 1`,
    [measured],
  );
  return Object.fromEntries(rows.map(({ service, octets }) => [service, octets]));
}

function spaceRow({ what, services, store }: FamilySpace): Row {
  const kilobytes = (octets: number) => (octets / 1_000).toFixed(1);
  const together = Object.values(services).reduce((sum, octets) => sum + octets, 0);
  const each = measured.map((name) => `${name} ${kilobytes(services[name] ?? 0)}`).join(', ');
  return { what, value: kilobytes(together), note: `${each}; store ${kilobytes(store)}` };
}
