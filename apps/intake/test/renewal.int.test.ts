import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase, type Database } from '@rubrica/database';
import { AppError, createLogger, uuidv7 } from '@rubrica/process';
import { makeReference, pollFor } from '@rubrica/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crashPoints } from '../src/crash-points.ts';
import { schema } from '../src/entities.ts';
import { findRequestFiles } from '../src/request/evidence/evidence-file.ts';
import { createOpenEvidence } from '../src/request/evidence/open-evidence.ts';
import { sweepEvidenceObjects } from '../src/request/evidence/sweep-evidence.ts';
import { sweepRetention } from '../src/retention/sweep-retention.ts';
import { arm, startProcess } from './support/intake-process.ts';
import { type PlayedService, playService } from './support/play-service.ts';
import { asPartner, makeRegistration, type RunningIntake, runningIntake } from './support/running-intake.ts';
import { sealFiles } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const days = { issuedDays: 3653, unissuedDays: 90 };
const passport = Buffer.from('passport');
const notBefore = new Date(Date.now() - 335 * DAY_MS).toISOString();
const notAfter = new Date(Date.now() + 30 * DAY_MS).toISOString();

let intake: RunningIntake;
let database: Database;
let generation: PlayedService;
const revoked: string[] = [];
beforeAll(async () => {
  intake = await runningIntake({ EVIDENCE_SCRUB_DAYS: '0' });
  database = createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet });
  const stateOf = (serialNumber: string) => {
    const isRevoked = revoked.includes(serialNumber);
    return {
      ...{ serialNumber, notBefore, notAfter, version: isRevoked ? 2 : 1 },
      status: isRevoked ? ('REVOKED' as const) : ('VALID' as const),
      revokedAt: isRevoked ? notBefore : null,
      revocationReason: isRevoked ? ('superseded' as const) : null,
    };
  };
  generation = await playService(intake.ground, 'generation', {
    'certificates.byRequest': ({ requestId }) => stateOf(serialOf(requestId)),
    'certificates.revokeSuperseded': ({ serialNumber }) => {
      const isRepeat = revoked.includes(serialNumber);
      revoked.push(serialNumber);
      if (isRepeat) throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
      return stateOf(serialNumber);
    },
  });
});
afterAll(async () => {
  await generation?.[Symbol.asyncDispose]();
  await database?.close();
  await intake?.[Symbol.asyncDispose]();
});

const serialOf = (requestId: string) => requestId.replaceAll('-', '').toUpperCase();
const client = () => intake.client(asPartner('sandbox'));

async function issue(requestId: string): Promise<void> {
  const statusOf = async () => (await client().requests.status.query({ family: 'TV', requestId })).status;
  await pollFor(async () => (await statusOf()) === 'GENERATING');
  await intake.tell('events.certificate.issued', {
    ...{ requestId, attempt: 1, certificateId: uuidv7(), serialNumber: serialOf(requestId) },
    ...{ notBefore, notAfter, cappedBy: null, truncated: [] },
  });
  await pollFor(async () => (await statusOf()) === 'GENERATED');
}

/** A request of one file that has its certificate. */
async function issued() {
  const requestId = uuidv7();
  const { keyring } = await intake.ground.peer('gateway');
  const evidence = await sealFiles({ keyring, requestId }, [passport]);
  const input = makeRegistration({}, { requestId, evidence });
  await client().requests.register.mutate(input);
  await issue(requestId);
  return { requestId, referenceTransaction: String(input.fields.referenceTransaction) };
}

async function renew({ referenceTransaction }: { referenceTransaction: string }, supersede = false) {
  const { sealedPassword } = makeRegistration();
  const renewed = await client().certificates.renew.mutate({
    requestId: uuidv7(),
    referenceTransaction,
    newReferenceTransaction: makeReference(),
    ...{ fields: {}, faults: [], files: [], supersede },
    ...(sealedPassword === undefined ? {} : { sealedPassword }),
  });
  return renewed.requestId;
}

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
  const renewal = await renew(former);
  expect(await opened(renewal)).toEqual(['passport']);
  await endRetention(former.requestId);
  expect(await opened(former.requestId)).toEqual([]);
  expect(await opened(renewal)).toEqual(['passport']);
  await expect(renew(former)).rejects.toMatchObject({ data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } });

  const other = await issued();
  const ended = await renew(other);
  await issue(ended);
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
  await generation.away(async () => {
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
  const renewal = await renew(former);
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

it('killed after generation has revoked the former, it is asked again, and is told that it is done', async () => {
  const former = await issued();
  const renewal = await renew(former, true);
  await intake.stopService();
  const { env } = intake.ground;
  await arm(env, crashPoints.afterSuperseded);
  await using first = startProcess(env);
  await issue(renewal);
  const [, signal] = await first.ended;
  expect(signal).toBe('SIGKILL');
  expect(revoked).toEqual([serialOf(former.requestId)]);

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
  expect(revoked).toEqual([serialOf(former.requestId), serialOf(former.requestId)]);
});
