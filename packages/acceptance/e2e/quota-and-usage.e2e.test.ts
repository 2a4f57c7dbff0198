import { disposeAfterAll, makeLinkedPartnerRequest, makeReference } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { partnerActor } from './support/partner-actor.ts';
import { parseErrorAnswer } from './support/rest.ts';
import { joinScene } from './support/scene.ts';

const scene = await disposeAfterAll(joinScene());
const info = scene.stack.info();
const admin = await operatorActor(info, 'admin');
const made = await byTwoAdministrators(info, 'partners.create', {
  name: 'Cupo',
  email: 'cupo@partners.rubrica.test',
});
const id = made.id;
const partner = await disposeAfterAll(
  partnerActor(
    { ...info, partners: { ...info.partners, other: { ...info.partners.other, ...made } } },
    'other',
  ),
);

const path = '/collector/linked-partner/request';
const register = async (query = {}) => {
  const body = makeLinkedPartnerRequest({ callbackUrl: partner.callbackUrl });
  const answer = await scene.call({ path, token: partner.token, body, query });
  return { answer, reference: body.referenceTransaction };
};
const headersOf = ({ headers }: { readonly headers: Headers }) =>
  ['x-quota-limit', 'x-quota-remaining'].map((name) => headers.get(name));
const usage = async (month?: string) =>
  scene.call({
    method: 'GET',
    path: '/gateway/usage',
    token: partner.token,
    query: month === undefined ? {} : { month },
  });

it('of 200 calls at once as many are taken as the quota allows, and each is told what is left', async () => {
  const { quota } = await admin.call('partners.update', { id, quota: { TRADITIONAL_SIGNATURE: 25 } });
  expect(quota).toEqual({ TRADITIONAL_SIGNATURE: 25 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => register()));
  const statuses = Map.groupBy(answers, ({ answer }) => answer.status);
  expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([25, 175]);
  for (const { answer } of statuses.get(429) ?? []) {
    expect(parseErrorAnswer(answer)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(headersOf(answer)).toEqual(['25', '0']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const { answer } of statuses.get(200) ?? []) expect(headersOf(answer)[0]).toBe('25');
});

it('a dry run tells it, what is cancelled is given back, and the usage adds up', async () => {
  const { answer } = await register({ dryRun: 'true' });
  expect(parseErrorAnswer(answer)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const { body } = await usage();
  expect(body).toMatchObject({
    month: expect.stringMatching(/^\d{4}-\d{2}$/),
    quota: { TRADITIONAL_SIGNATURE: 25, TRANSACTIONAL_SIGNATURE: null },
    used: { TRADITIONAL_SIGNATURE: 25, TRANSACTIONAL_SIGNATURE: 0 },
    byFamily: { TV: { registered: 25 }, FR: { registered: 0 } },
  });
  expect(await admin.call('partners.usage', { id })).toMatchObject({ used: { TRADITIONAL_SIGNATURE: 25 } });
});

it('a month that is none, or lies ahead, is refused', async () => {
  for (const month of ['2026-13', '2999-01', 'x'])
    expect(parseErrorAnswer(await usage(month))).toMatchObject({ status: 400, code: 'FIELD_INVALID' });
  expect((await usage('2020-01')).body).toMatchObject({ used: { TRADITIONAL_SIGNATURE: 0 } });
});

it('tells nothing of a quota where there is none, and counts what was issued and revoked', async () => {
  const one = await admin.call('partners.update', { id, quota: {} }).then(() => register());
  expect(headersOf(one.answer)).toEqual([null, null]);
  const { serialNumber } = await partner.reaches(one.reference, 'GENERATED');
  const body = { serialNumber, reason: 'superseded' };
  const revoked = await scene.call({ path: '/manager/certificate/revoke', token: partner.token, body });
  expect(revoked.status).toBe(200);
  await expect
    .poll(async () => (await usage()).body, { timeout: 20_000 })
    .toMatchObject({ revoked: { TRADITIONAL_SIGNATURE: 1 }, quota: { TRADITIONAL_SIGNATURE: null } });
});

it('a renewal takes one too, and is refused last of all when none is left', async () => {
  const { token } = partner;
  const { reference } = await partner.accepted({ period: 'ONE_YEAR' });
  await partner.reaches(reference, 'GENERATED');
  await scene.call({
    path: '/sandbox/advance',
    token,
    body: { referenceTransaction: reference, days: 340 },
  });
  const renew = (newReferenceTransaction: string) =>
    scene.call({
      path: '/manager/certificate/renew',
      token,
      body: { referenceTransaction: reference, newReferenceTransaction, password: 'Firma2026segura' },
    });
  const { used } = await admin.call('partners.usage', { id });
  const taken = used.TRADITIONAL_SIGNATURE;
  await admin.call('partners.update', { id, quota: { TRADITIONAL_SIGNATURE: taken } });
  expect(parseErrorAnswer(await renew(reference))).toMatchObject({
    code: 'DUPLICATED_REFERENCE_TRANSACTION',
  });
  const refused = await renew(makeReference());
  expect([parseErrorAnswer(refused).code, ...headersOf(refused)]).toEqual([
    'QUOTA_EXCEEDED',
    `${taken}`,
    '0',
  ]);
  await admin.call('partners.update', { id, quota: { TRADITIONAL_SIGNATURE: taken + 1 } });
  const renewed = await renew(makeReference());
  expect([renewed.status, ...headersOf(renewed)]).toEqual([200, `${taken + 1}`, '0']);
});
