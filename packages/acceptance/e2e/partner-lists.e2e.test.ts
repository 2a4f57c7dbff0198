import { disposeAfterAll, makeReference } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import type { PartnerActor } from './support/partner-actor.ts';
import { type Answer, listErrorCodes } from './support/rest.ts';
import { joinScene } from './support/scene.ts';

const prefix = makeReference();

const scene = await disposeAfterAll(joinScene());
const { sandbox, other } = scene.partners;
for (const n of [1, 2, 3]) {
  const { reference } = await sandbox.accepted({ referenceTransaction: `${prefix}-${n}` });
  await sandbox.reaches(reference, 'GENERATED');
  await sandbox.hears(reference, 'certificate.issued');
}
const failed = {
  referenceTransaction: `${prefix}-4`,
  identificationNumber: '2450000704',
  fingerCode: 'A1234B5678',
};
await sandbox.accepted(failed);
await sandbox.reaches(failed.referenceTransaction, 'ERROR');
await sandbox.hears(failed.referenceTransaction, 'request.error');

type Item = Readonly<Record<string, unknown>>;
interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

const get = async (
  who: PartnerActor,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> => scene.call({ path, query, token: who.token });
const post = async (who: PartnerActor, path: string, body?: object): Promise<Answer> =>
  scene.call({ method: 'POST', path, token: who.token, ...(body && { body }) });

async function listed(who: PartnerActor, path: string, query: Readonly<Record<string, string>> = {}) {
  const answer = await get(who, path, query);
  expect(answer.status).toBe(200);
  return answer.body as Page;
}
const references = ({ items }: Page) => items.map(({ referenceTransaction }) => referenceTransaction);
const own = (n: number) => `${prefix}-${n}`;
const eventAt = (path: '/gateway/events/{eventId}' | '/gateway/events/{eventId}/resend', id: unknown) =>
  path.replace('{eventId}', String(id));

describe('a list of requests', () => {
  const path = '/gateway/requests';

  it('is of the partner’s own, newest first, page by page', async () => {
    const first = await listed(sandbox, path, { referenceTransaction: prefix, limit: '3' });
    expect(references(first)).toEqual([own(4), own(3), own(2)]);
    const cursor = String(first.nextCursor);
    const second = await listed(sandbox, path, { referenceTransaction: prefix, limit: '3', cursor });
    expect([references(second), second.nextCursor]).toEqual([[own(1)], null]);
    expect((await listed(other, path, { referenceTransaction: prefix })).items).toEqual([]);
    const all = await listed(sandbox, path, { limit: '2' });
    expect(all.items).toHaveLength(2);
  });

  it('shows of each what the status shows', async () => {
    const [item] = (await listed(sandbox, path, { referenceTransaction: own(3) })).items;
    const status = await sandbox.view(own(3));
    expect(item).toEqual({
      requestId: status.linkedPartnerRequestId,
      referenceTransaction: own(3),
      family: 'TV',
      ...{ status: 'GENERATED', validationStatus: 'COMPLETED' },
      ...{ certificateType: status.certificateType, applicationType: status.applicationType, code: null },
      ...{ serialNumber: status.serialNumber, notAfter: status.notAfter, certificateStatus: 'VALID' },
      ...{ createdDate: status.createdDate, updatedDate: status.updatedDate },
    });
  });

  it.each<[string, Readonly<Record<string, string>>, readonly number[]]>([
    ['status', { status: 'ERROR' }, [4]],
    ['status and family', { status: 'GENERATED', family: 'TV' }, [3, 2, 1]],
    ['validationStatus', { validationStatus: 'ERROR' }, [4]],
    ['family', { family: 'FR' }, []],
    ['certificateType', { certificateType: 'TRADITIONAL_SIGNATURE' }, [4, 3, 2, 1]],
    ['certificateType and status', { certificateType: 'TRANSACTIONAL_SIGNATURE', status: 'ERROR' }, []],
    ['code', { code: 'FINGER_CODE_MISMATCH' }, [4]],
    ['identificationNumber', { identificationNumber: '2450000704' }, [4]],
    ['a time to come', { from: '2099-01-01' }, []],
    ['a time gone by', { from: '2020-01-01', to: '2099-01-01 00:00:00' }, [4, 3, 2, 1]],
  ])('takes the filter %s, with a reference and alone', async (_name, filter, numbers) => {
    const combined = await listed(sandbox, path, { ...filter, referenceTransaction: prefix });
    expect(references(combined)).toEqual(numbers.map(own));
    const alone = await listed(sandbox, path, { ...filter, limit: '100' });
    expect(references(alone)).toEqual(expect.arrayContaining(numbers.map(own)));
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['an unknown parameter', { state: 'ERROR' }, 'state'],
    ['a value outside of an enumeration', { status: 'DONE' }, 'status'],
    ['a prefix of two characters', { referenceTransaction: 'AB' }, 'referenceTransaction'],
    ['a day that is none', { from: '2026-02-30' }, 'from'],
    ['a page of 101', { limit: '101' }, 'limit'],
    ['a cursor of its own making', { cursor: 'abc' }, 'cursor'],
  ])('refuses %s', async (_name, query, field) => {
    const answer = await get(sandbox, path, query);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ code: 'FIELD_INVALID', field }] });
  });
});

it('a list of certificates is of the partner’s own, newest first, by their state and end', async () => {
  const path = '/gateway/certificates';
  const { serialNumber, notAfter, notBefore } = await sandbox.view(own(3));
  const mine = { serialNumber: String(serialNumber) };
  const [item] = (await listed(sandbox, path, mine)).items;
  expect(item).toEqual({
    ...{ serialNumber, referenceTransaction: own(3), family: 'TV', certificateType: 'TRADITIONAL_SIGNATURE' },
    ...{ status: 'VALID', notBefore, notAfter, revocationReason: null, revokedAt: null },
  });
  expect((await listed(other, path, mine)).items).toEqual([]);
  const newest = references(await listed(sandbox, path));
  expect(newest.filter((one) => String(one).startsWith(prefix))).toEqual([own(3), own(2), own(1)]);
  const ends = String(notAfter);
  const around = { notAfterFrom: ends.slice(0, 10), status: 'VALID', limit: '100' };
  expect(references(await listed(sandbox, path, around))).toContain(own(3));
  expect(references(await listed(sandbox, path, { notAfterTo: ends, limit: '100' }))).not.toContain(own(3));
  await post(sandbox, '/manager/certificate/revoke', { referenceTransaction: own(1), reason: 'superseded' });
  const revoked = await listed(sandbox, path, { status: 'REVOKED' });
  expect(revoked.items[0]).toMatchObject({ referenceTransaction: own(1), revocationReason: 'superseded' });
  expect(listErrorCodes(await get(sandbox, path, { reference: 'x' }))).toEqual(['FIELD_INVALID']);
});

describe('webhook events', () => {
  const path = '/gateway/events';
  const eventOf = async (reference: string) => {
    const { items } = await listed(sandbox, path, { referenceTransaction: reference });
    return items[0] as Item;
  };

  it('are listed with what became of them', async () => {
    await expect.poll(async () => (await eventOf(own(4))).state).toBe('DELIVERED');
    const { id } = await sandbox.hears(own(4), 'request.error');
    expect(await eventOf(own(4))).toMatchObject({
      ...{ eventId: id, type: 'request.error', code: 'FINGER_CODE_MISMATCH', referenceTransaction: own(4) },
      destination: new URL(sandbox.callbackUrl).origin,
      ...{ attempts: 1, lastStatus: 204, lastError: null, nextAttemptAt: null },
      deliveredDate: expect.any(String),
    });
    const typed = await listed(sandbox, path, { type: 'request.error', state: 'DELIVERED' });
    expect(references(typed)).toContain(own(4));
    expect(references(typed)).not.toContain(own(3));
    expect((await listed(sandbox, path, { state: 'FAILED', referenceTransaction: own(4) })).items).toEqual(
      [],
    );
    expect((await listed(sandbox, path, { to: '2020-01-01' })).items).toEqual([]);
    expect((await listed(other, path, { referenceTransaction: own(4) })).items).toEqual([]);
  });

  it('are shown one by one, without file and password, to their own partner alone', async () => {
    const { eventId } = await eventOf(own(3));
    const answer = await get(sandbox, eventAt('/gateway/events/{eventId}', eventId));
    const withheld = { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(answer.body).toMatchObject({
      eventId,
      attemptList: [{ status: 204, error: null, durationMs: expect.any(Number) }],
      body: { referenceTransaction: own(3), file: withheld, password: withheld },
    });
    for (const who of [other, sandbox]) {
      const id = who === other ? eventId : '0197a000-0000-7000-8000-000000000001';
      expect((await get(who, `${path}/${id}`)).status).toBe(404);
      expect((await post(who, `${path}/${id}/resend`)).status).toBe(404);
    }
    expect((await get(sandbox, `${path}/abc`)).status).toBe(400);
  });

  it('are sent again under the same id', async () => {
    const { eventId } = await eventOf(own(3));
    const arrived = () => sandbox.eventsOf(own(3)).filter(({ id }) => id === eventId).length;
    const before = arrived();
    const answer = await post(sandbox, eventAt('/gateway/events/{eventId}/resend', eventId));
    expect(answer).toMatchObject({ status: 200, body: { eventId, referenceTransaction: own(3) } });
    await expect.poll(arrived).toBe(before + 1);
  });

  it('that failed are sent again together, within fourteen days', async () => {
    const from = new Date(Date.now() - 86_400_000).toISOString();
    expect((await post(sandbox, '/gateway/events/recover', { from })).body).toEqual({
      resent: expect.any(Number),
      expired: expect.any(Number),
    });
    expect(listErrorCodes(await post(sandbox, '/gateway/events/recover', { from: '2020-01-01' }))).toEqual([
      'FIELD_INVALID',
    ]);
    expect(listErrorCodes(await post(sandbox, '/gateway/events/recover', {}))).toEqual(['FIELD_REQUIRED']);
  });

  it('are tried out by a signed example, by the rules of callbackUrl, ten times a minute', async () => {
    const test = (body: object) => post(other, '/gateway/events/test', body);
    const sent = await test({ type: 'request.refused', url: other.callbackUrl });
    expect(sent).toMatchObject({ status: 200, body: { delivered: true, status: 204, error: null } });
    const [event] = other.eventsOf('EXAMPLE-1');
    expect(event).toMatchObject({ type: 'request.refused', signatureFault: undefined });
    expect(event?.headers['x-rubrica-code']).toBe('FINGER_CODE_MISMATCH');
    const inside = await test({ type: 'request.refused', url: 'https://10.0.0.1/hook' });
    expect([inside.status, listErrorCodes(inside)]).toEqual([400, ['CALLBACK_URL_NOT_ALLOWED']]);
    expect(listErrorCodes(await test({ type: 'unheard.of', url: other.callbackUrl }))).toEqual([
      'FIELD_INVALID',
    ]);
    for (let n = 4; n <= 10; n += 1) await test({});
    const surplus = await test({});
    expect([surplus.status, listErrorCodes(surplus)]).toEqual([429, ['RATE_LIMITED']]);
    expect(Number(surplus.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
