import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxPeople } from '@rubrica/contracts/rest/sandbox-people';
import { makeEvidence, makeLinkedPartnerRequest, pollFor, startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { sendLoad } from '../load/order.ts';
import { referencePlaceholder } from '../load/prepared-request.ts';
import { registrationPath } from '../request-cost.ts';
import { type StackProcess, startWithNpm } from '../stack-process.ts';
import { formatSection, type Row } from '../table.ts';
import { untilFinished } from '../until-finished.ts';
import { moving, sizeOf } from './stored-files.ts';

export interface EvidenceSpaceOptions {
  /** Registered in each of two rounds. */
  readonly count: number;
}

interface Space {
  readonly what: string;
  /** Octets of the database, of the table of evidence in it, and of JetStream's files. */
  readonly database: number;
  readonly evidence: number;
  readonly store: number;
}

const evidenceBytes = 40_000;
const connections = 32;
const longMs = 3 * 3_600_000;
/** What the second round may add to the table of evidence: its rows stay, their bytes take the room of the first. */
const mostGrowth = 0.1;

/**
 * Registers requests whose validation refuses them, lets the mover take their evidence into the store, and does both once
 * more. The mover rests while they are registered, so that all bytes are in the database at once.
 * @returns whether the second round took the room that the first had left
 */
export async function runEvidenceSpace(
  { count }: EvidenceSpaceOptions,
  say: (text: string) => void,
): Promise<boolean> {
  await using place = await stackHome('bench-space');
  const spaces: Space[] = [];
  const start = async (env: NodeJS.ProcessEnv) => {
    // What both rounds bring and a quarter more, so that the bucket's limit is no part of this.
    const bucket = { EVIDENCE_BUCKET_BYTES: String(Math.ceil(count * evidenceBytes * 2.5) + 2 ** 28) };
    const stack = await startWithNpm(place.home, { env: { ...bucket, ...env } });
    await place.remember(stack.info.databaseUrl);
    return stack;
  };
  const measure = async (what: string, client: Client) => {
    const space = { what, ...(await spaceOf(client)), store: await sizeOf(join(place.home, 'nats')) };
    spaces.push(space);
    say(`  ${what}: database ${megabytes(space.database)}, store ${megabytes(space.store)}`);
  };
  {
    await using stack = await start({});
    await withClient(stack, (client) => measure('nothing registered', client));
  }
  for (const round of ['first', 'second']) {
    {
      await using stack = await start({});
      await register(stack, { count, folder: place.folder, prefix: round });
      await withClient(stack, async (client) => {
        await untilFinished(client, longMs);
        await measure(`${round} ${count} registered and ended`, client);
      });
    }
    await using stack = await start(moving);
    await withClient(stack, async (client) => {
      await untilMoved(client);
      // As autovacuum does within minutes.
      await client.query('vacuum intake.evidence');
      await measure(`${round} ${count} moved and vacuumed`, client);
    });
  }
  say(formatSection(`Octets of ${count} requests of 40 kB`, rowsOf(spaces, count)));
  return tookFreeRoom(spaces);
}

async function register(
  { info }: StackProcess,
  { count, folder, prefix }: { readonly count: number; readonly folder: string; readonly prefix: string },
): Promise<void> {
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  const bodyFile = join(folder, 'body.json');
  const body = makeLinkedPartnerRequest({
    callbackUrl: partner.receiver.url,
    referenceTransaction: referencePlaceholder,
    identificationNumber: sandboxPeople.deceased,
    evidences: [makeEvidence(evidenceBytes)],
  });
  await writeFile(bodyFile, JSON.stringify(body));
  const token = await partner.rest.token();
  const url = info.baseUrl + registrationPath;
  const load = { url, token, bodyFile, connections, durationMs: longMs, requests: count };
  const { accepted, refusals } = await sendLoad({ ...load, referencePrefix: prefix });
  if (accepted < count) throw new Error(`${count - accepted} refused, such as ${refusals[0]}`);
  // Its receiver stays until every webhook has come.
  await withClient({ info }, (client) => untilFinished(client, longMs));
}

async function withClient(
  { info }: Pick<StackProcess, 'info'>,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: info.databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function untilMoved(client: Client): Promise<void> {
  await pollFor(
    async () =>
      (await client.query('select 1 from intake.evidence where content is not null limit 1')).rowCount === 0,
    { deadlineMs: longMs, everyMs: 1_000, what: 'the end of the move' },
  );
}

async function spaceOf(client: Client): Promise<Pick<Space, 'database' | 'evidence'>> {
  const { rows } = await client.query(`select pg_database_size(current_database())::float8 as database,
    pg_total_relation_size('intake.evidence')::float8 as evidence`);
  return rows[0];
}

function rowsOf(spaces: readonly Space[], count: number): Row[] {
  const each = (octets: number) => `${(octets / count / 1_000).toFixed(1)} kB`;
  return spaces.map(({ what, database, evidence, store }, index) => {
    const before = spaces[index - 1];
    const added = before === undefined ? '' : `, ${each(database - before.database)} a request more`;
    return {
      what,
      value: megabytes(database),
      note: `evidence ${megabytes(evidence)}, store ${megabytes(store)}${added}`,
    };
  });
}

function tookFreeRoom([, first, , second]: readonly Space[]): boolean {
  if (first === undefined || second === undefined) return false;
  return second.evidence <= first.evidence * (1 + mostGrowth);
}

function megabytes(octets: number): string {
  return `${(octets / 1e6).toFixed(0)} MB`;
}
