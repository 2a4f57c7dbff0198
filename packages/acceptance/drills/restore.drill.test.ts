import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { type Stack, type StackInfo, startStack } from '@rubrica/stack';
import { type Delivery, makeEvidence } from '@rubrica/testkit';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { expect, it } from 'vitest';
import { countCertificates, queryStack } from '../e2e/support/ledger.ts';
import { type PartnerActor, partnerActor } from '../e2e/support/partner-actor.ts';
import { until } from '../e2e/support/poll.ts';
import {
  archiveAll,
  archiveWal,
  backupFolders,
  takeBaseBackup,
  withSuperuser,
} from './support/postgres-backup.ts';
import { registerWithoutEnd } from './support/registrations.ts';
import { destroy, keepSecrets, type RestoreFrom, restoreElsewhere } from './support/restore-stack.ts';
import { revokeForgotten, untilListed } from './support/revoke-forgotten.ts';
import { say, sayTable } from './support/say.ts';
import { storedBytes } from './support/stored-evidence.ts';
import { copyStream, withNats } from './support/stream-copy.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const bucketStream = `OBJ_${evidenceBucket}`;
/** Whose name the registry knows otherwise: such a request ends in ERROR. */
const nameMismatch = '2450000803';
/** Large enough for the object store: smaller files are kept in their rows. */
const scan = makeEvidence(400_000);

interface Copies extends Omit<RestoreFrom, 'at'> {
  /** Signed by services and kept where logs are shipped to. */
  readonly checkpoints: readonly Checkpoint[];
}

interface Checkpoint {
  readonly service: string;
  readonly at: Date;
  readonly jws: string;
}

it('everything destroyed and restored elsewhere to a point in time: what was accepted before it is there and goes on', {
  timeout: 900_000,
}, async () => {
  await using lost = await stackHome('restore-lost');
  await using elsewhere = await stackHome('restore-elsewhere');
  const source = await startStack({ home: lost.home, port: await freePort() });
  await using _ended = { [Symbol.asyncDispose]: () => source.stop() };
  await lost.remember(source.info().databaseUrl);
  await using partner = await partnerActor(source.info(), 'sandbox');

  const postgres = await backupFolders(lost.folder);
  await withSuperuser(source.info().databaseUrl, (client) => archiveWal(client, lost.folder, postgres));
  await source.postgres.restart();
  say('PostgreSQL archives its WAL; registrations begin');
  const load = registerWithoutEnd(partner, { inFlight: 24, nameMismatch, scan });
  await load.advance(5);
  await takeBaseBackup(source.info().databaseUrl, postgres);
  say(`base backup taken with ${load.accepted.length} requests accepted`);
  await load.advance(10);
  await until('a checkpoint of intake', async () => (await checkpointsOf(source.home, 'intake'))[0], {
    deadlineMs: 150_000,
  });
  const at = new Date();
  await load.advance(15);
  await load.stop();
  await archiveAll(source.info().databaseUrl);
  const copies: Copies = {
    folder: lost.folder,
    postgres,
    // After the database: every object that a row names is there before its row.
    evidence: await withNats(source.info().natsUrl, (bus) => copyStream(bus, bucketStream)),
    checkpoints: await checkpointsOf(source.home, 'intake'),
  };
  await keepSecrets(source.home, elsewhere.home);
  say(
    `point in time ${at.toISOString()}, ${load.accepted.length} accepted; everything is destroyed without a warning`,
  );
  const heardBefore = [...partner.allEvents()];
  await destroy(source);

  const restored = await restoreElsewhere(elsewhere.home, { ...copies, at });
  await using _restored = { [Symbol.asyncDispose]: () => restored.stop() };
  await elsewhere.remember(restored.info().databaseUrl);
  await using again = await partnerActor(restored.info(), 'sandbox');
  say('restored stack is ready');

  const owed = load.accepted.filter(({ answeredAt }) => answeredAt < at);
  const lateCount = load.accepted.length - owed.length;
  expect(owed.length).toBeGreaterThan(20);
  expect(lateCount).toBeGreaterThan(5);
  for (const { reference, ends } of owed) await again.reaches(reference, ends, 240_000);
  say(`all ${owed.length} requests accepted before the point reached their end`);

  await everyEventOnce(restored.info(), partner, owed);
  const certificates = await countCertificates(restored);
  const issued = owed.filter(({ ends }) => ends === 'GENERATED');
  expect(issued.filter(({ requestId }) => certificates.get(requestId) !== 1)).toEqual([]);

  const present = await serialsOf(restored);
  const formerly = new Set(heardBefore.flatMap(serialOf));
  const orphans = [...formerly].filter((serial) => !present.has(serial));
  await revokeOrphans(restored, orphans);
  const evidence = await storedBytes(restored);
  expect(evidence.faults).toEqual([]);
  expect(evidence.objects).toBeGreaterThan(20);
  await auditVerifies(restored, copies.checkpoints, at);
  sayTable([
    [owed.length, 'accepted before the point, all at their end'],
    [owed.length - issued.length, 'of them ended in ERROR, as they must'],
    [lateCount, 'accepted after the point: the partner registers them again'],
    [present.size, 'certificates in the restored ledger'],
    [orphans.length, 'certificates that the partner has and the ledger had not: revoked by revoke-forgotten'],
    [evidence.objects, 'evidence objects read and compared with their rows'],
  ]);
});

/** As deploy/backup/README.md says, twice: a command that may be repeated. */
async function revokeOrphans(stack: Stack, orphans: readonly string[]): Promise<void> {
  expect(orphans.length).toBeGreaterThan(0);
  for (const outcome of ['revoked', 'had been revoked by this command'])
    expect((await revokeForgotten(stack, orphans)).trim().split('\n')).toEqual(
      orphans.map((serial) => `${serial}  ${outcome}`),
    );
  await untilListed(stack, orphans);
  say(`${orphans.length} certificates that the restored ledger did not know are revoked`);
}

/** The same event has the same id and the same bytes, however often it came, before and after. */
async function everyEventOnce(
  info: StackInfo,
  partner: PartnerActor,
  owed: readonly { readonly reference: string; readonly ends: 'GENERATED' | 'ERROR' }[],
): Promise<void> {
  for (const { reference, ends } of owed) {
    await partner.hears(reference, ends === 'GENERATED' ? 'certificate.issued' : 'request.error', {
      deadlineMs: 240_000,
    });
  }
  for (const [id, same] of Map.groupBy(partner.allEvents(), (event) => event.id)) {
    expect(new Set(same.map(({ raw }) => raw)).size, `bodies of ${id}`).toBe(1);
  }
  expect(partner.faults()).toEqual([]);
  const known = await queryStack<{ id: string }>(
    { info: () => info },
    'select id::text as id from notifier.delivery where state = $1',
    ['DELIVERED'],
  );
  const heard = new Set(partner.allEvents().map(({ id }) => id));
  expect(known.filter(({ id }) => !heard.has(id))).toEqual([]);
}

function serialOf({ body }: Delivery): string[] {
  return typeof body.serialNumber === 'string' ? [body.serialNumber] : [];
}

async function serialsOf(stack: Stack): Promise<Set<string>> {
  const rows = await queryStack<{ serial: string }>(stack, 'select serial from generation.certificate');
  expect(new Set(rows.map(({ serial }) => serial)).size).toBe(rows.length);
  return new Set(rows.map(({ serial }) => serial));
}

async function checkpointsOf(home: string, service: string): Promise<Checkpoint[]> {
  const folder = join(home, 'logs');
  const files = (await readdir(folder)).filter((file) => file.startsWith(service));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('"audit checkpoint"'))
    .map((line) => JSON.parse(line) as { time: string; checkpoint: string })
    .map(({ time, checkpoint }) => ({ service, at: new Date(time), jws: checkpoint }));
}

/** Intact in itself, and the continuation of what was kept elsewhere up to the point. */
async function auditVerifies(stack: Stack, kept: readonly Checkpoint[], at: Date): Promise<void> {
  const verify = (...args: string[]) =>
    run(process.execPath, [join(root, 'packages/stack/src/cli.ts'), 'audit', 'verify', ...args], {
      cwd: root,
      env: { ...process.env, RUBRICA_HOME: stack.home },
    });
  await verify();
  const before = kept.filter((checkpoint) => checkpoint.at < at);
  expect(before.length).toBeGreaterThan(0);
  for (const { service, jws } of before) await verify('--service', service, '--checkpoint', jws);
}
