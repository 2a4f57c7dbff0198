import { connectBus } from '@rubrica/bus';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { notifyPeers } from '../src/requests/retention/notify-peers.ts';
import { claimGround, fault } from './support/claims.ts';
import { callbackUrl, familyScene } from './support/family-scene.ts';
import { makeTransactional } from './support/plain-families.ts';
import { peersOf, playPeer } from './support/retention-peers.ts';
import { asOperator, asPartner } from './support/running-intake.ts';

const sandbox = asPartner('sandbox') as Extract<Caller, { kind: 'partner' }>;
const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const ground = await disposeAfterAll(claimGround());
const database = await disposeAfterAll(
  createDatabase({
    url: ground.intake.ground.service.appUrl,
    schema,
    entities: [],
    logger: quiet,
  }),
);
const generation = await disposeAfterAll(playPeer('generation', ground.intake));
const bus = await disposeAfterAll(connectBus(await ground.intake.ground.peer('intake')));

const scene = familyScene(() => ground, 'FT');
const { requests, own, reaches, register, view } = scene;
async function results(requestId: string) {
  return (await requests().validationResults.query(own(requestId))).results;
}

async function failed(requestId: string) {
  return (await results(requestId)).find(({ result }) => result === 'FAILED');
}

function retrieve(requestId: string) {
  return requests().openRetrieval.mutate(own(requestId));
}

async function issued(fields: Record<string, string> = {}): Promise<string> {
  const requestId = await register(makeTransactional(fields));
  await reaches(requestId, 'GENERATING');
  await scene.issue(requestId);
  await reaches(requestId, 'GENERATED');
  return requestId;
}

describe('a transactional registration', () => {
  it.each(['sandbox', 'otp'] as const)(
    'of the partner %s needs no claim, and without a password the service makes it',
    async (partner) => {
      const { requestId } = await requests(partner).register.mutate(makeTransactional());
      const client = requests(partner);
      await expect.poll(async () => (await client.status.query(own(requestId))).status).toBe('GENERATING');
      expect(await scene.order(requestId)).toMatchObject({
        certificateType: 'TRANSACTIONAL_SIGNATURE',
        applicationType: 'NATURAL_PERSON',
        period: 'ONE_WEEK',
        passwordOrigin: 'SERVICE',
        sealedPassword: null,
        hasWebhook: false,
        isRetrieved: true,
      });
      expect(
        await ground.intake.query('select 1 from intake.message where request_id = $1', [requestId]),
      ).toEqual([]);
    },
  );

  it('keeps a password that was given, sealed as it came', async () => {
    const requestId = await register(makeTransactional({}, { sealedPassword: 'sealed.to.generation' }));
    await reaches(requestId, 'GENERATING');
    expect(await scene.order(requestId)).toMatchObject({
      passwordOrigin: 'PARTNER',
      sealedPassword: 'sealed.to.generation',
    });
  });

  it('by a legal representative is refused', async () => {
    const input = makeTransactional({ applicationType: 'LEGAL_REPRESENTATIVE' });
    await expect(requests().register.mutate(input)).rejects.toMatchObject(fault('INVALID_APPLICATION_TYPE'));
  });

  it('takes a reference that no other family of the partner has', async () => {
    const first = makeTransactional();
    await register(first);
    const again = makeTransactional({ referenceTransaction: String(first.fields.referenceTransaction) });
    await expect(requests().register.mutate(again)).rejects.toMatchObject(
      fault('DUPLICATED_REFERENCE_TRANSACTION'),
    );
  });
});

describe('a cédula of the sandbox in the transactional family', () => {
  it.each([
    ['2450000100', 'GENERATING', undefined, undefined],
    ['2450000209', 'GENERATING', undefined, undefined],
    ['2450000308', 'GENERATING', undefined, undefined],
    ['2450000407', 'REFUSED', 'APPLICANT_UNDERAGE', 'AGE'],
    ['2450000506', 'REFUSED', 'APPLICANT_DECEASED', 'VITAL_STATUS'],
    ['2450000605', 'ERROR', 'IDENTIFICATION_NOT_FOUND', 'IDENTITY'],
    ['2450000704', 'GENERATING', undefined, undefined],
    ['2450000803', 'ERROR', 'NAME_MISMATCH', 'NAMES'],
    ['2450000902', 'ERROR', 'EXTERNAL_SERVICE_UNAVAILABLE', 'IDENTITY'],
    ['2450001009', 'ERROR', 'EXTERNAL_SERVICE_UNAVAILABLE', 'IDENTITY'],
    ['2450001108', 'GENERATING', undefined, undefined],
    ['2450001207', 'GENERATING', undefined, undefined],
    ['2450001306', 'GENERATING', undefined, undefined],
    ['2450001405', 'GENERATING', undefined, undefined],
    ['2450001504', 'VALIDATING', undefined, undefined],
    ['2450001603', 'GENERATING', undefined, undefined],
    ['2450001702', 'GENERATING', undefined, undefined],
    ['2450001801', 'GENERATING', undefined, undefined],
  ])('%s comes to %s (%s), and the results say the same', async (cedula, status, code, check) => {
    const requestId = await register(makeTransactional({ identificationNumber: cedula }));
    await expect
      .poll(async () => (await view(requestId)).validationStatus)
      .not.toMatch(/PENDING|AUTOMATICALLY/);
    const record = await view(requestId);
    expect([record.status, record.observation?.code]).toEqual([status, code]);
    expect(await failed(requestId)).toEqual(check && { check, result: 'FAILED', code });
    expect(record.correctableFields).toEqual([]);
  });

  it('2450000704 with another finger code fails at that check, and what comes after it is pending', async () => {
    const requestId = await register(
      makeTransactional({ identificationNumber: '2450000704', fingerCode: 'E1234I5678' }),
    );
    await reaches(requestId, 'ERROR');
    expect(await results(requestId)).toEqual([
      { check: 'IDENTITY', result: 'PASSED', code: null },
      { check: 'VITAL_STATUS', result: 'PASSED', code: null },
      { check: 'AGE', result: 'PASSED', code: null },
      { check: 'FINGER_CODE', result: 'FAILED', code: 'FINGER_CODE_MISMATCH' },
      { check: 'NAMES', result: 'PENDING', code: null },
    ]);
  });

  it('has its company checked where one is given', async () => {
    const inactive = await register(makeTransactional({ companyRuc: '2490000103001' }));
    await reaches(inactive, 'ERROR');
    expect(await failed(inactive)).toEqual({ check: 'COMPANY', result: 'FAILED', code: 'RUC_INACTIVE' });
    const active = await register(makeTransactional({ companyRuc: '1793213150001' }));
    await reaches(active, 'GENERATING');
    expect((await results(active)).map(({ result }) => result)).toEqual(Array(6).fill('PASSED'));
  });
});

describe('an error of a transactional request', () => {
  it('of a registry that is back is mended by an operator', async () => {
    const requestId = await register(makeTransactional({ identificationNumber: '2450001009' }));
    await reaches(requestId, 'ERROR');
    expect(await scene.rerun(requestId)).toMatchObject({ status: 'VALIDATING' });
    await reaches(requestId, 'GENERATING');
    expect(await failed(requestId)).toBeUndefined();
  });

  it('of generation leaves the checks passed, and an operator has the step run again', async () => {
    const requestId = await register(makeTransactional({ callbackUrl }));
    await reaches(requestId, 'GENERATING');
    await scene.fail(requestId);
    expect(await reaches(requestId, 'ERROR')).toMatchObject({ validationStatus: 'COMPLETED' });
    expect((await results(requestId)).map(({ result }) => result)).toEqual(Array(5).fill('PASSED'));
    await expect(retrieve(requestId)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(await scene.rerun(requestId)).toMatchObject({ status: 'GENERATING' });
    await scene.issue(requestId, 2);
    await reaches(requestId, 'GENERATED');
    expect(await scene.events(requestId)).toMatchObject([
      {
        type: 'request.error',
        identifierName: 'transactionalRequestId',
        omitPassword: false,
        url: callbackUrl,
      },
      { type: 'certificate.issued', identifierName: 'transactionalRequestId', omitPassword: false },
    ]);
  });

  it('that running again does not mend is nothing for an operator’s rerun', async () => {
    const requestId = await register(makeTransactional({ identificationNumber: '2450000803' }));
    await reaches(requestId, 'ERROR');
    await expect(scene.rerun(requestId)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    const cancelled = await ground.intake
      .operators(asOperator('admin'))
      .requests.cancel.mutate({ requestId, reason: 'mistaken' });
    expect(cancelled).toMatchObject({ status: 'CANCELLED' });
    expect(await failed(requestId)).toMatchObject({ check: 'NAMES' });
  });

  it('that nobody mends expires after 50 days, and its password is gone', async () => {
    const requestId = await register(
      makeTransactional({ identificationNumber: '2450000902' }, { sealedPassword: 'sealed.to.generation' }),
    );
    await reaches(requestId, 'ERROR');
    ground.pass(49 * DAY_MS);
    await ground.sweep();
    expect(await view(requestId)).toMatchObject({ status: 'ERROR' });
    ground.pass(2 * DAY_MS);
    await ground.sweep();
    expect(await view(requestId)).toMatchObject({ status: 'EXPIRED', validationStatus: 'ERROR' });
    expect(await failed(requestId)).toMatchObject({ check: 'IDENTITY' });
    const rows = await ground.intake.query('select sealed_password from intake.request where id = $1', [
      requestId,
    ]);
    expect(rows).toEqual([{ sealed_password: null }]);
  });

  it('is told to nobody without a webhook address', async () => {
    const requestId = await register(makeTransactional({ identificationNumber: '2450000407' }));
    await reaches(requestId, 'REFUSED');
    expect(await scene.events(requestId)).toEqual([]);
  });
});

describe('a transactional request that needs a person', () => {
  const reviewed = async () => {
    const requestId = await register(makeTransactional({ identificationNumber: '2450001504', callbackUrl }));
    await expect.poll(async () => (await view(requestId)).validationStatus).toBe('MANUALLY_VALIDATING');
    return requestId;
  };
  const reviews = () => ground.intake.operators(asOperator('reviewer')).reviews;

  it('has passed its checks when it comes before one, and goes on without a claim when approved', async () => {
    const requestId = await reviewed();
    expect((await results(requestId)).map(({ result }) => result)).toEqual(Array(5).fill('PASSED'));
    await reviews().approve.mutate({ requestId });
    await reaches(requestId, 'GENERATING');
  });

  it('is refused for good when rejected, by no check of ours', async () => {
    const requestId = await reviewed();
    await reviews().reject.mutate({ requestId, codes: ['SELFIE_MISMATCH'] });
    expect(await reaches(requestId, 'REFUSED')).toMatchObject({
      validationStatus: 'REFUSED',
      observation: { code: 'REVIEW_REJECTED' },
    });
    expect(await failed(requestId)).toBeUndefined();
    expect(await scene.events(requestId)).toMatchObject([
      { type: 'request.refused', identifierName: 'transactionalRequestId' },
    ]);
  });
});

interface Clock {
  until: string | null;
  since: string | null;
}
async function clockOf(requestId: string) {
  const [row] = await ground.intake.query<Clock>(
    'select retrieval_until as until, retrieved_at as since from intake.request where id = $1',
    [requestId],
  );
  const date = (value: string | null | undefined) => (value ? new Date(value) : null);
  return { until: date(row?.until), since: date(row?.since) };
}

function orders(requestId: string) {
  return ground.intake.query('select peer from intake.retention_order where request_id = $1', [requestId]);
}

describe('the retrieval', () => {
  it('is refused before the certificate is there, and of a request that is not this partner’s', async () => {
    const waiting = await register(makeTransactional({ identificationNumber: '2450001504' }));
    await expect(retrieve(waiting)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    const requestId = await issued();
    const other = requests('other');
    await expect(other.openRetrieval.mutate(own(requestId))).rejects.toMatchObject(
      fault('REQUEST_NOT_FOUND'),
    );
    await expect(other.validationResults.query(own(requestId))).rejects.toMatchObject(
      fault('REQUEST_NOT_FOUND'),
    );
    const asLinkedPartner = { family: 'TV' as const, requestId };
    await expect(requests().openRetrieval.mutate(asLinkedPartner)).rejects.toMatchObject(
      fault('REQUEST_NOT_FOUND'),
    );
    expect(await clockOf(requestId)).toMatchObject({ since: null });
    const unscoped = ground.intake.client({ ...sandbox, scopes: ['collector:write'] });
    await expect(unscoped.requests.openRetrieval.mutate(own(requestId))).rejects.toMatchObject(
      fault('FORBIDDEN'),
    );
  });

  it('may be repeated for 24 h from the first, also by two at once, and generation hears of the end once', async () => {
    const requestId = await issued();
    const both = await Promise.all([retrieve(requestId), retrieve(requestId)]);
    expect(both[0]).toMatchObject({ requestId, results: expect.arrayContaining([]) });
    const { since, until } = await clockOf(requestId);
    expect((until?.getTime() ?? 0) - (since?.getTime() ?? 0)).toBe(DAY_MS);

    ground.pass(23 * HOUR_MS);
    await retrieve(requestId);
    expect(await clockOf(requestId)).toEqual({ since, until });
    await notifyPeers({
      database,
      peers: peersOf(bus),
      logger: quiet,
    });
    const told = generation.told.filter((one) => one.requestId === requestId);
    expect(told).toMatchObject([{ held: false, erase: 'NOTHING', fetchUntil: until?.toISOString() }]);
    expect(await orders(requestId)).toEqual([]);

    ground.pass(HOUR_MS);
    await expect(retrieve(requestId)).rejects.toMatchObject(fault('CERTIFICATE_NOT_FOUND'));
    expect(await view(requestId)).toMatchObject({ status: 'GENERATED' });
  });

  it('ends 7 days after issuance, however late the first came', async () => {
    const [early, late] = [await issued(), await issued()];
    ground.pass(6.5 * DAY_MS);
    await retrieve(late);
    const { since, until } = await clockOf(late);
    expect((until?.getTime() ?? 0) - (since?.getTime() ?? 0)).toBeLessThan(0.6 * DAY_MS);
    ground.pass(0.6 * DAY_MS);
    for (const requestId of [early, late])
      await expect(retrieve(requestId)).rejects.toMatchObject(fault('CERTIFICATE_NOT_FOUND'));
    expect(await clockOf(early)).toMatchObject({ since: null });
  });

  it('is written down with who retrieved what, and leaves no personal word', async () => {
    const requestId = await issued();
    await retrieve(requestId);
    expect(await ground.timelineOf(requestId)).toContain('retrieve');
    const [audit] = await ground.intake.query<{ actor: string; details: object }>(
      "select actor, details from intake.audit where target = $1 and action = 'certificates.retrieve'",
      [`request:${requestId}`],
    );
    expect(audit).toMatchObject({ actor: 'partner:client-sandbox' });
    expect(JSON.stringify(audit)).not.toMatch(/Ñúñez|171/);
  });
});
