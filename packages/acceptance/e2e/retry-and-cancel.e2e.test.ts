import { describe, expect, it } from 'vitest';
import { listErrorCodes, parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const sandbox = scene.partners.sandbox;

const alwaysFails = '2450001108';
const failsOnce = '2450001207';
const failsTwice = '2450001306';
const failsThreeTimes = '2450001405';
const needsReview = '2450001504';

/** Registers and waits for the first failure. */
async function failed(identificationNumber: string) {
  const registered = await sandbox.accepted({ identificationNumber });
  await sandbox.reaches(registered.reference, 'ERROR');
  return registered;
}

describe('a retry (POST /manager/linked-partner/retry-process-signature)', () => {
  it('names every fault of the body before it says that no request is found, also with a password', async () => {
    const unknown = { referenceTransaction: 'NEVER-REGISTERED', password: 'Unknown-password-1' };
    expect((await sandbox.retry(unknown)).status).toBe(404);
    const faulty = await sandbox.retry({ ...unknown, fingerCode: 'not a finger code' });
    expect(faulty.status).toBe(400);
    expect(parseErrorAnswer(faulty).errors).toMatchObject([{ field: 'fingerCode' }]);
  });

  it('beyond the two allowed refuses the request, with one rejection event that carries the stored last error', async () => {
    const { reference, requestId } = await failed(alwaysFails);
    for (const attempt of [1, 2]) {
      expect(await sandbox.retry({ referenceTransaction: reference })).toMatchObject({
        status: 200,
        body: { status: 'GENERATING', retryCount: attempt, retriesRemaining: 2 - attempt },
      });
      await sandbox.hears(reference, 'request.error', { count: attempt + 1 });
      await sandbox.reaches(reference, 'ERROR');
    }
    const lastError = (await sandbox.view(reference)).observation?.message ?? 'none is stored';
    const third = await sandbox.retry({ linkedPartnerRequestId: requestId });
    expect(third).toMatchObject({
      status: 200,
      body: {
        linkedPartnerRequestId: requestId,
        referenceTransaction: reference,
        status: 'REFUSED',
        retryCount: 2,
        retriesRemaining: 0,
      },
    });
    const refused = await sandbox.hears(reference, 'request.refused');
    expect(refused.body).toEqual({
      linkedPartnerRequestId: requestId,
      referenceTransaction: reference,
      status: 'REFUSED',
      message: expect.stringContaining(lastError),
    });
    expect(refused.body.message).toMatch(/limit/i);
    expect(refused.body.message).toMatch(/\b2\b|two/);
    expect(listErrorCodes(await sandbox.retry({ referenceTransaction: reference }))).toEqual([
      'REQUEST_STATE_NOT_ALLOWED',
    ]);
    expect(await sandbox.view(reference)).toMatchObject({ status: 'REFUSED', validationStatus: 'COMPLETED' });
    const ids = sandbox
      .eventsOf(reference)
      .filter(({ type }) => type === 'request.refused')
      .map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    ['once', failsOnce, 1],
    ['twice', failsTwice, 2],
  ])('issues where generation fails only %s', async (_times, identificationNumber, retries) => {
    const { reference } = await failed(identificationNumber);
    for (let retry = 1; retry < retries; retry += 1) {
      await sandbox.retry({ referenceTransaction: reference });
      await sandbox.hears(reference, 'request.error', { count: retry + 1 });
      await sandbox.reaches(reference, 'ERROR');
    }
    await sandbox.retry({ referenceTransaction: reference });
    expect(await sandbox.reaches(reference, 'GENERATED')).toMatchObject({ retryCount: retries });
  });

  it('cannot save what fails three times', async () => {
    const { reference } = await failed(failsThreeTimes);
    for (const count of [2, 3]) {
      await sandbox.retry({ referenceTransaction: reference });
      await sandbox.hears(reference, 'request.error', { count });
      await sandbox.reaches(reference, 'ERROR');
    }
    expect((await sandbox.retry({ referenceTransaction: reference })).body).toMatchObject({
      status: 'REFUSED',
    });
  });

  it('sent twice at once runs once; the other is 409', async () => {
    const { reference } = await failed(failsOnce);
    const answers = await Promise.all([1, 2].map(() => sandbox.retry({ referenceTransaction: reference })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await sandbox.reaches(reference, 'GENERATED')).toMatchObject({ retryCount: 1 });
  });

  it('of a request that has not failed is 409', async () => {
    const { reference } = await sandbox.accepted();
    await sandbox.reaches(reference, 'GENERATED');
    const answer = await sandbox.retry({ referenceTransaction: reference });
    expect(answer.status).toBe(409);
    expect(listErrorCodes(answer)).toEqual(['REQUEST_STATE_NOT_ALLOWED']);
  });

  it('of a failed generation with a changed finger code starts the request again', async () => {
    const { reference } = await failed(failsOnce);
    expect(
      (await sandbox.retry({ referenceTransaction: reference, fingerCode: 'E1234I5678' })).body,
    ).toMatchObject({
      status: 'REGISTERED',
    });
    await sandbox.reaches(reference, 'GENERATED');
  });

  it.each([
    ['without an identifier', {}],
    ['with an id that is none', { linkedPartnerRequestId: 'abc' }],
    ['with a correction of the wrong kind', { referenceTransaction: 'x', fingerCode: 7 }],
  ])('%s is 400', async (_what, body) => {
    expect((await sandbox.retry(body)).status).toBe(400);
  });
});

describe('a cancellation (POST /manager/linked-partner/cancel-request)', () => {
  it.each(['linkedPartnerRequestId', 'referenceTransaction'] as const)(
    'by %s ends a request',
    async (name) => {
      const { reference, requestId } = await failed(alwaysFails);
      const body = { linkedPartnerRequestId: requestId, referenceTransaction: reference };
      expect(await sandbox.cancel({ [name]: body[name], reason: 'no longer wanted' })).toMatchObject({
        status: 200,
        body: { ...body, status: 'CANCELLED' },
      });
      expect(await sandbox.view(reference)).toMatchObject({ status: 'CANCELLED' });
      expect((await sandbox.cancel({ [name]: body[name] })).status).toBe(409);
      expect((await sandbox.retry({ [name]: body[name] })).status).toBe(409);
    },
  );

  it('ends a request that waits for a person', async () => {
    const { reference } = await sandbox.accepted({ identificationNumber: needsReview });
    await sandbox.reaches(reference, 'VALIDATING');
    expect((await sandbox.cancel({ referenceTransaction: reference })).body).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('of an issued certificate’s request is 409', async () => {
    const { reference } = await sandbox.accepted();
    await sandbox.reaches(reference, 'GENERATED');
    const answer = await sandbox.cancel({ referenceTransaction: reference });
    expect(answer.status).toBe(409);
    expect(parseErrorAnswer(answer).code).toBe('REQUEST_STATE_NOT_ALLOWED');
  });
});

describe('the status (GET /middleware/signature-request/status)', () => {
  it('is found by either identifier and by both, with an ETag that changes with the record', async () => {
    const { reference, requestId } = await failed(failsOnce);
    const byReference = await sandbox.status({ referenceTransaction: reference });
    const byId = await sandbox.status({ linkedPartnerRequestId: requestId });
    const byBoth = await sandbox.status({
      linkedPartnerRequestId: requestId,
      referenceTransaction: reference,
    });
    expect(byReference.status).toBe(200);
    expect(byId.body).toEqual(byReference.body);
    expect(byBoth.body).toEqual(byReference.body);
    expect(byReference.headers.get('etag')).toBeTruthy();
    expect(byId.headers.get('etag')).toBe(byReference.headers.get('etag'));
    await sandbox.retry({ referenceTransaction: reference });
    await sandbox.reaches(reference, 'GENERATED');
    const later = await sandbox.status({ referenceTransaction: reference });
    expect(later.headers.get('etag')).not.toBe(byReference.headers.get('etag'));
  });

  it('asks to come back only while the request is not at its end', async () => {
    const { reference } = await failed(failsOnce);
    expect((await sandbox.status({ referenceTransaction: reference })).headers.get('retry-after')).toMatch(
      /^\d+$/,
    );
    await sandbox.cancel({ referenceTransaction: reference });
    expect((await sandbox.status({ referenceTransaction: reference })).headers.has('retry-after')).toBe(
      false,
    );
  });

  it('is 400 without an identifier and 404 for identifiers of two different requests', async () => {
    const [one, two] = [await sandbox.accepted(), await sandbox.accepted()];
    expect((await sandbox.status({})).status).toBe(400);
    const mixed = { linkedPartnerRequestId: one.requestId, referenceTransaction: two.reference };
    expect((await sandbox.status(mixed)).status).toBe(404);
  });
});

describe('another partner’s request', () => {
  it('is 404 on every operation, by either identifier, and stays as it was', async () => {
    const { reference, requestId } = await failed(alwaysFails);
    const { other } = scene.partners;
    const identifiers: Record<string, string>[] = [
      { referenceTransaction: reference },
      { linkedPartnerRequestId: requestId },
    ];
    for (const identifier of identifiers) {
      for (const operation of [other.status, other.retry, other.cancel, other.resend]) {
        const answer = await operation(identifier);
        expect(answer.status).toBe(404);
        expect(parseErrorAnswer(answer).code).toBe('REQUEST_NOT_FOUND');
      }
    }
    expect(await sandbox.view(reference)).toMatchObject({ status: 'ERROR', retryCount: 0 });
  });
});
