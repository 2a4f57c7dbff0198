import type { Family } from '@rubrica/contracts/shared/enumerations';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, it, test } from 'vitest';
import { png } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

beforeEach(() => {
  gateway.state.asked.length = 0;
  gateway.state.renewedFamily = 'TV';
});

const named = { referenceTransaction: 'TX-1', newReferenceTransaction: 'TX-2' };
function renew(body: unknown, query = '') {
  return call(`${gateway.url}/manager/certificate/renew${query}`, { token, body });
}
const asked = () => gateway.state.asked.find(({ path }) => path === 'certificates.renew')?.input;

const states = { status: 'REGISTERED', validationStatus: 'PENDING' };
test.each<[Family, string, object]>([
  ['TV', 'linkedPartnerRequestId', { ...states, errors: [] }],
  ['FR', 'requestId', {}],
  ['FT', 'transactionalRequestId', states],
  ['FS', 'simplifiedRequestId', states],
])('a renewal of %s is answered as its registration, with what it renews', async (family, id, more) => {
  gateway.state.renewedFamily = family;
  const answer = await renew(named);
  expect([answer.status, answer.json()]).toEqual([
    200,
    {
      [id]: expect.any(String),
      referenceTransaction: 'TX-2',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      renewalOf: { referenceTransaction: 'TX-1', serialNumber: '4AB1' },
      ...more,
    },
  ]);
});

it('hands on what is given, files of both kinds encrypted, and never who or what is certified', async () => {
  const file = png.toString('base64');
  await renew({
    ...named,
    supersede: true,
    emailAddress: 'rosa@correo.example',
    identificationNumber: '1710034065',
    companyRuc: '1790012345001',
    identificationSelfie: file,
    evidences: [{ evidenceFile: file, evidenceType: 'SELFIE' }],
    password: 'Segura2026firma',
  });
  expect(asked()).toMatchObject({
    ...named,
    supersede: true,
    fields: { emailAddress: 'rosa@correo.example' },
    faults: [],
    files: [{ field: 'identificationSelfie', mediaType: 'image/png' }],
    sealedPassword: expect.stringMatching(/\./),
    evidence: { items: [{ field: 'identificationSelfie' }, { evidenceType: 'SELFIE' }] },
  });
  expect(asked()).toHaveProperty('fields', { emailAddress: 'rosa@correo.example' });
});

it('lists every fault of the body’s own form at once', async () => {
  const answer = await renew({ period: 'NEVER', supersede: 'yes', evidences: [], password: 'short' });
  const { errors } = answer.json() as { errors: { code: string; field: string }[] };
  expect([answer.status, errors.map(({ code, field }) => `${field} ${code}`).sort()]).toEqual([
    400,
    [
      'evidences EVIDENCE_MISSING',
      'newReferenceTransaction FIELD_REQUIRED',
      'password FIELD_INVALID',
      'period INVALID_PERIOD',
      'serialNumber FIELD_REQUIRED',
      'supersede FIELD_INVALID',
    ],
  ]);
  expect(asked()).toBeUndefined();
});

it('only asks with ?dryRun=true, and says what would be registered in error', async () => {
  const faulty = { ...named, evidences: [{ evidenceFile: '@@' }] };
  const answer = await renew(faulty, '?dryRun=true');
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    { valid: false, warnings: [], errors: [{ code: 'EVIDENCE_INVALID' }] },
  ]);
  gateway.state.renewedFamily = 'FS';
  expect((await renew(faulty, '?dryRun=true')).json()).toEqual({ valid: true, warnings: [] });
  expect(asked()).toBeUndefined();
});
