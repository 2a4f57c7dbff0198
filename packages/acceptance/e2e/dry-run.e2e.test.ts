import { randomUUID } from 'node:crypto';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { dryRunResultSchema } from '@rubrica/contracts/rest/dry-run';
import { linkedPartnerStatusSchema } from '@rubrica/contracts/shared/status';
import {
  makeLinkedPartnerRequest,
  makePdf,
  makeRegularCompany,
  makeRegularRequest,
  makeSimplifiedRequest,
  makeTransactionalRequest,
} from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { queryStack, withJetStream } from './support/ledger.ts';
import { type Answer, listErrorCodes, parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

const families = {
  TV: { path: '/collector/linked-partner/request', make: makeLinkedPartnerRequest },
  FR: { path: '/collector/request', make: makeRegularRequest },
  FT: { path: '/collector/transactional/request', make: makeTransactionalRequest },
  FS: { path: '/collector/simplified/request', make: makeSimplifiedRequest },
} as const;
type Family = keyof typeof families;
type Fields = Readonly<Record<string, unknown>>;

/** TV needs one, and the others take it. */
function bodyOf(family: Family, fields: Fields): object {
  const make = families[family].make as (fields: Fields) => object;
  return make({ callbackUrl: scene.partners.sandbox.callbackUrl, ...fields });
}

function post(family: Family, body: object, query: Record<string, string> = {}): Promise<Answer> {
  const { token } = scene.partners.sandbox;
  return scene.call({ path: families[family].path, token, body, query });
}

const dryRun = (family: Family, body: object) => post(family, body, { dryRun: 'true' });

/** What differs between two calls whatever they say. */
function lasting(answer: Answer) {
  const { timestamp: _timestamp, traceId: _traceId, ...rest } = parseErrorAnswer(answer);
  return rest;
}

/** Nothing may come of a call of this test alone, so the rows are told by their reference. */
async function storedOf(referenceTransaction: string) {
  const [row] = await queryStack<{ count: number }>(
    scene.stack,
    'select count(*)::int as count from intake.request where reference_transaction = $1',
    [referenceTransaction],
  );
  return row?.count;
}

const writtenFiles = () =>
  withJetStream(
    scene.stack,
    async (manager) => (await manager.streams.info(`OBJ_${evidenceBucket}`)).state.last_seq,
  );

const base64Pdf = (sizeBytes = 0) => makePdf(sizeBytes).toString('base64');
const appointmentOver = '2020-01-01';
const aged = '2450000100';
const company = makeRegularCompany();

const refused: readonly [Family, string, Fields][] = [
  ['TV', 'a cédula whose check digit is wrong', { identificationNumber: '2450010001' }],
  ['TV', 'several fields at once', { email: 'nobody', cellphoneNumber: '12', evidences: [] }],
  ['TV', 'an appointment that is over', { companyRuc: '1', expirationDateAppointment: appointmentOver }],
  ['TV', 'no password', { password: undefined }],
  ['TV', 'a file that is too large', { evidences: [{ evidenceFile: base64Pdf(11 * 1024 * 1024) }] }],
  ['FR', 'a company without its documents', { companyRuc: '1790012345001' }],
  ['FR', 'an applicant of 65 or more without video', { identificationNumber: aged }],
  ['FR', 'faults of 400 beside those of 412', { applicationType: 'LEGAL_REPRESENTATIVE', city: 'Nowhere' }],
  ['FR', 'a file of a kind that is not taken', { identificationSelfie: base64Pdf() }],
  ['FT', 'a missing name', { applicantName: undefined }],
  ['FS', 'a period that there is not', { period: 'SIX_YEARS' }],
];

const accepted: readonly [Family, string, Fields][] = [
  ['TV', 'a request', {}],
  ['TV', 'a RUC that earns a warning', { companyRuc: '1793213150001' }],
  ['TV', 'an evidence that cannot be taken', { evidences: [{ evidenceFile: 'bm8gZmlsZQ==' }] }],
  ['FR', 'a request', {}],
  ['FR', 'a legal representative', company],
  ['FT', 'a request', {}],
  ['FS', 'a request', {}],
];

describe('a dry run', () => {
  it.each(refused)('%s refuses %s as the registration does', async (family, _what, fields) => {
    const body = bodyOf(family, fields);
    const dry = await dryRun(family, body);
    const real = await post(family, body);
    expect(real.status).toBeGreaterThanOrEqual(400);
    expect(lasting(dry)).toEqual(lasting(real));
  });

  it.each(accepted)(
    '%s says of %s what the registration does, and stores nothing',
    async (family, _what, fields) => {
      const body = bodyOf(family, fields) as { referenceTransaction: string };
      const dry = await dryRun(family, body);
      expect(dry.status, JSON.stringify(dry.body)).toBe(200);
      const said = dryRunResultSchema.strict().parse(dry.body);
      expect(await storedOf(body.referenceTransaction)).toBe(0);
      const real = await post(family, body);
      expect(real.status, JSON.stringify(real.body)).toBe(200);
      const { errors = [] } = real.body as { errors?: unknown[] };
      expect(said.valid).toBe(errors.length === 0);
      expect(said.errors ?? []).toEqual(errors);
      const { message, code } = parseErrorAnswer(await dryRun(family, body));
      expect([code, message]).toEqual([
        'DUPLICATED_REFERENCE_TRANSACTION',
        parseErrorAnswer(await post(family, body)).message,
      ]);
    },
  );

  it('gives the warnings that the record will show', async () => {
    const { sandbox } = scene.partners;
    const body = bodyOf('TV', { companyRuc: '1793213150001' }) as { referenceTransaction: string };
    const { warnings } = dryRunResultSchema.parse((await dryRun('TV', body)).body);
    expect(warnings).toMatchObject([{ code: 'RUC_CHECK_DIGIT', field: 'companyRuc' }]);
    await post('TV', body);
    const record = await sandbox.status({ referenceTransaction: body.referenceTransaction });
    const { observations } = linkedPartnerStatusSchema.parse(record.body);
    const ofRecord = observations.filter(({ type }) => type === 'WARNING').map(({ message }) => message);
    expect(ofRecord).toEqual(warnings.map(({ message }) => message));
  });

  it('keeps no file, however large', async () => {
    const before = await writtenFiles();
    const body = bodyOf('TV', { evidences: [{ evidenceFile: base64Pdf(2 * 1024 * 1024) }] });
    expect((await dryRun('TV', body)).body).toEqual({ valid: true, warnings: [] });
    expect(await writtenFiles()).toBe(before);
    await post('TV', body);
    expect(await writtenFiles()).toBeGreaterThan(before);
  });

  it('registers nothing for a value that is neither true nor false, and registers for false', async () => {
    const body = bodyOf('FS', {}) as { referenceTransaction: string };
    const answer = await post('FS', body, { dryRun: '1' });
    expect([answer.status, listErrorCodes(answer)]).toEqual([400, ['FIELD_INVALID']]);
    expect(await storedOf(body.referenceTransaction)).toBe(0);
    expect(await post('FS', body, { dryRun: 'false' })).toMatchObject({ status: 200 });
    expect(await storedOf(body.referenceTransaction)).toBe(1);
  });

  it('needs the scope of the registration', async () => {
    const body = bodyOf('FS', { referenceTransaction: randomUUID() });
    const answer = await scene.call({ path: families.FS.path, query: { dryRun: 'true' }, body });
    expect(answer.status).toBe(401);
  });
});
