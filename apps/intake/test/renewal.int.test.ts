import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, makeReference, pollFor } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { schema } from '../src/entities.ts';
import { findRequestFiles } from '../src/requests/evidence/evidence-file.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { sweepRetention } from '../src/requests/retention/sweep-retention.ts';
import { arm, startProcess } from './support/intake-process.ts';
import { openEntries } from './support/own-database.ts';
import { playRenewals } from './support/play-renewals.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const days = { issuedDays: 3653, unissuedDays: 90 };
const passport = Buffer.from('passport');
const intake = await disposeAfterAll(runningIntake({ EVIDENCE_SCRUB_DAYS: '0' }));
const entries = await openEntries(intake.ground);
const database = await disposeAfterAll(
  createDatabase({
    ...{ url: intake.ground.service.appUrl, schema, entities: [], entries },
    logger: quiet,
  }),
);
const renewals = await disposeAfterAll(playRenewals(intake));

const client = () => intake.client(asPartner('sandbox'));
/** A request of one file that has its certificate. */
const issued = () => renewals.issued([passport]);

/** What of a request can be opened with its own key. */
async function opened(requestId: string): Promise<string[]> {
  const found = await findRequestFiles(database, requestId);
  if (found === undefined) return [];
  const { keyring } = await intake.ground.peer('intake');
  const open = createOpenEvidence({ keyring, stores: { get: () => expect.fail('nothing is stored there') } });
  const openFile = await open({ requestId, sealedKey: found.sealedKey });
  const files = await Promise.all(found.files.map(openFile));
  return files.map((file) => file.toString());
}

async function endRetention(requestId: string): Promise<void> {
  await intake.query('update intake.request set evidence_due_at = now() where id = $1', [requestId]);
  await sweepRetention(database, { now: new Date(Date.now() + 1_000), days });
}

it('takes evidence over under a key of its own: the end of one is nothing to the other', async () => {
  const former = await issued();
  const renewal = await renewals.renew(former);
  expect(await opened(renewal)).toEqual(['passport']);
  await endRetention(former.requestId);
  expect(await opened(former.requestId)).toEqual([]);
  expect(await opened(renewal)).toEqual(['passport']);
  await expect(renewals.renew(former)).rejects.toMatchObject({
    data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
  });

  const other = await issued();
  const ended = await renewals.renew(other);
  await renewals.issue(ended);
  await endRetention(ended);
  expect(await opened(ended)).toEqual([]);
  expect(await opened(other.requestId)).toEqual(['passport']);
});

it('answers a repeat with the same id as the first, and while generation is away renews nothing', async () => {
  const { referenceTransaction } = await issued();
  const { sealedPassword = '' } = makeRegistration();
  const wish = {
    ...{ requestId: uuidv7(), referenceTransaction, newReferenceTransaction: makeReference() },
    ...{ fields: {}, faults: [], files: [], supersede: false, sealedPassword },
  };
  const renewal = () => client().certificates.renew.mutate(wish);
  await renewals.generation.away(async () => {
    await expect(renewal()).rejects.toMatchObject({ data: { appCode: 'SERVICE_UNAVAILABLE' } });
  });
  const first = await renewal();
  expect(await renewal()).toEqual(first);
  expect(first).toMatchObject({ family: 'TV', renewalOf: { referenceTransaction } });
  const other = client().certificates.renew.mutate({ ...wish, requestId: uuidv7() });
  await expect(other).rejects.toMatchObject({ data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } });
});

it('keeps an object of the store as long as one of both names it', async () => {
  const former = await issued();
  const object = { id: 'a1'.repeat(16), chunks: 1, sizeBytes: 36, sha256: 'a'.repeat(64) };
  await intake.query('update intake.evidence set content = null, object = $2 where request_id = $1', [
    former.requestId,
    JSON.stringify(object),
  ]);
  const renewal = await renewals.renew(former);
  const isWanted = async () => {
    let wants: ReadonlySet<string> = new Set();
    const sweep = async ({ wanted }: { wanted(ids: readonly string[]): Promise<ReadonlySet<string>> }) => {
      wants = await wanted([object.id]);
      return { removed: 0, foreign: 0 };
    };
    await sweepEvidenceObjects({ stores: [{ sweep }], sql: database }, { olderThanMs: 0 });
    return wants.has(object.id);
  };
  await endRetention(former.requestId);
  expect(await isWanted()).toBe(true);
  await endRetention(renewal);
  expect(await isWanted()).toBe(false);
});

it('a renewal that no certificate was issued for revokes nothing, whatever its row says', async () => {
  const former = await issued();
  const renewal = await renewals.renew(former, true);
  for (const times of [1, 2]) {
    await intake.query('update intake.request set supersede_due_at = now() where id = $1', [renewal]);
    await pollFor(async () => renewals.asked.filter((id) => id === renewal).length >= times);
  }
  expect(renewals.revoked).not.toContain(renewals.serialOf(former.requestId));
  await intake.query('update intake.request set supersede_due_at = null where id = $1', [renewal]);
});

it('killed after generation has revoked the former, it is asked again, and is told that it is done', async () => {
  const former = await issued();
  const renewal = await renewals.renew(former, true);
  await intake.stopService();
  const { env } = intake.ground;
  await arm(env, crashPoints.afterSuperseded);
  await using first = startProcess(env);
  await renewals.issue(renewal);
  const [, signal] = await first.ended;
  expect(signal).toBe('SIGKILL');
  expect(renewals.revoked).toEqual([renewals.serialOf(former.requestId)]);

  // As after the time that a copy is given.
  await intake.query('update intake.request set supersede_due_at = now() where id = $1', [renewal]);
  await using _second = startProcess(env);
  const isDone = async () => {
    const rows = await intake.query(
      'select 1 from intake.request where id = $1 and supersede_due_at is null',
      [renewal],
    );
    return rows.length > 0;
  };
  await pollFor(isDone);
  expect(renewals.revoked).toEqual([
    renewals.serialOf(former.requestId),
    renewals.serialOf(former.requestId),
  ]);
});
