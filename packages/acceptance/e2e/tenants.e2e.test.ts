import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import {
  disposeAfterAll,
  makeCedula,
  makeIdentityValidation,
  makeLinkedPartnerRequest,
  makePng,
  makeReference,
  makeRegularRequest,
  makeSignatureRequest,
  makeSimplifiedRequest,
  makeTransactionalRequest,
} from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { until } from './support/poll.ts';
import { type Answer, type Call, parseErrorAnswer } from './support/rest.ts';
import { joinScene } from './support/scene.ts';

/** A request as its owner knows it, or as a stranger makes one up. */
interface Names {
  readonly id: string;
  readonly reference: string;
  readonly serialNumber: string;
  readonly sessionId: string;
}

type Way = (names: Names) => Pick<Call, 'query' | 'body'>;
type Case =
  /** Names a request that exists: tried with every way to name one. */
  | { readonly ways: readonly Way[]; readonly owner: keyof typeof owned }
  /** Makes a request of one's own: another partner's reference is free. Once: it is one reference over all families. */
  | { readonly registers: (reference: string) => object; readonly owner: keyof typeof owned }
  /** Names no request, and tells of the caller's own: shown in a test of its own. */
  | 'own'
  /** Has no owner. */
  | 'public';
/** What the sandbox partner has; the partner `other` tries to reach it. */
const owned: { [Family in 'TV' | 'FR' | 'FT' | 'FS' | 'API']: Names } = {
  TV: { id: '', reference: '', serialNumber: '', sessionId: '' },
  FR: { id: '', reference: '', serialNumber: '', sessionId: '' },
  FT: { id: '', reference: '', serialNumber: '', sessionId: '' },
  FS: { id: '', reference: '', serialNumber: '', sessionId: '' },
  API: { id: '', reference: '', serialNumber: '', sessionId: '' },
};

let termsId = '';

const unique = () => randomBytes(6).toString('hex');
/** What may stand in no log: the owner's data, and what a stranger sends. */
const personal = {
  ownersName: `Dueña${unique()}`,
  ownersEmail: `duena.${unique()}@correo.example`,
  ownersAddress: `Calle ${unique()}`,
  ownersCedula: makeCedula(),
  strangersName: `Ajena${unique()}`,
  strangersComment: `Comentario ${unique()}`,
};

const byId =
  (name: string, more: object = {}): Way =>
  ({ id }) => ({ body: { [name]: id, ...more } });
const byReference =
  (more: object = {}): Way =>
  ({ reference }) => ({ body: { referenceTransaction: reference, ...more } });
const queryById =
  (name: string): Way =>
  ({ id }) => ({ query: { [name]: id } });
const queryByReference: Way = ({ reference }) => ({ query: { referenceTransaction: reference } });
const named = (name: string, more?: object) => [byId(name, more), byReference(more)];
const asked = (name: string) => [queryById(name), queryByReference];

const linked = (referenceTransaction: string) =>
  makeLinkedPartnerRequest({
    referenceTransaction,
    applicantName: personal.strangersName,
    callbackUrl: scene.partners.other.callbackUrl,
  });

/** One row for each operation of the interface; one without a row does not compile. */
const cases: Readonly<Record<OperationId, Case>> = {
  registerLinkedPartner: { owner: 'TV', registers: linked },
  registerLinkedPartnerBatch: { owner: 'TV', registers: linked },
  retryLinkedPartner: {
    owner: 'TV',
    ways: named('linkedPartnerRequestId', { applicantName: personal.strangersName }),
  },
  cancelLinkedPartner: {
    owner: 'TV',
    ways: named('linkedPartnerRequestId', { reason: personal.strangersComment }),
  },
  resendValidationLink: { owner: 'TV', ways: named('linkedPartnerRequestId') },
  linkedPartnerStatus: { owner: 'TV', ways: asked('linkedPartnerRequestId') },
  registerTransactional: {
    owner: 'FT',
    registers: (referenceTransaction) =>
      makeTransactionalRequest({ referenceTransaction, applicantName: personal.strangersName }),
  },
  transactionalValidationStatus: { owner: 'FT', ways: asked('transactionalRequestId') },
  transactionalCertificate: { owner: 'FT', ways: asked('transactionalRequestId') },
  registerSimplified: {
    owner: 'FS',
    registers: (referenceTransaction) => makeSimplifiedRequest({ referenceTransaction }),
  },
  simplifiedStatus: { owner: 'FS', ways: asked('simplifiedRequestId') },
  cancelSimplified: {
    owner: 'FS',
    ways: named('simplifiedRequestId', { reason: personal.strangersComment }),
  },
  registerRegular: {
    owner: 'FR',
    registers: (referenceTransaction) =>
      makeRegularRequest({ referenceTransaction, callbackUrl: scene.partners.other.callbackUrl }),
  },
  correctRegular: { owner: 'FR', ways: named('requestId', { fingerCode: 'V4333V2222' }) },
  regularStatus: { owner: 'FR', ways: asked('requestId') },
  requestSignature: {
    owner: 'API',
    registers: (referenceTransaction) =>
      makeSignatureRequest(termsId, { referenceTransaction, applicantName: personal.strangersName }),
  },
  validateIdentity: { owner: 'API', ways: [({ id }) => ({ body: makeIdentityValidation(id) })] },
  requestLiveness: { owner: 'API', ways: [byId('signatureRequestId')] },
  checkLiveness: {
    owner: 'API',
    ways: [({ id, sessionId }) => ({ body: { signatureRequestId: id, livenessSessionId: sessionId } })],
  },
  issueSignature: { owner: 'API', ways: [byId('signatureRequestId')] },
  signatureRequestStatus: { owner: 'API', ways: asked('signatureRequestId') },
  revokeCertificate: {
    owner: 'TV',
    ways: [
      byReference({ reason: 'keyCompromise', comment: personal.strangersComment }),
      ({ serialNumber }) => ({ body: { serialNumber, reason: 'keyCompromise' } }),
    ],
  },
  renewCertificate: {
    owner: 'TV',
    ways: [
      byReference({ newReferenceTransaction: `${unique()}-1`, address: personal.strangersComment }),
      ({ serialNumber }) => ({ body: { serialNumber, newReferenceTransaction: `${unique()}-2` } }),
    ],
  },
  // Shown in `partner-lists.e2e.test.ts`.
  listRequests: 'own',
  listCertificates: 'own',
  listEvents: 'own',
  readEvent: 'own',
  resendEvent: 'own',
  recoverEvents: 'own',
  testEvent: 'own',
  // Nothing is stored, and another partner's reference is free.
  registerLinkedPartnerDryRun: 'own',
  registerRegularDryRun: 'own',
  registerTransactionalDryRun: 'own',
  registerSimplifiedDryRun: 'own',
  renewCertificateDryRun: 'own',
  usage: 'own',
  activeTerms: 'public',
  listProvinces: 'public',
  listCities: 'public',
  listPeriods: 'public',
  listStates: 'public',
  listTypes: 'public',
  listEvidenceTypes: 'public',
  listValidationErrorCodes: 'public',
  token: 'public',
  serverMetadata: 'public',
};
const rows = Object.entries(cases) as [OperationId, Case][];
const reaching = rows.flatMap(([id, one]) =>
  typeof one === 'object' && 'ways' in one
    ? one.ways.map((way, index) => ({ id, way, owner: one.owner, index }))
    : [],
);

async function own(): Promise<void> {
  const { sandbox } = scene.partners;
  const { requestId, reference } = await sandbox.accepted({
    identificationNumber: personal.ownersCedula,
    applicantName: personal.ownersName,
    email: personal.ownersEmail,
    address: personal.ownersAddress,
    evidences: [{ evidenceFile: makePng().toString('base64') }],
  });
  const { serialNumber } = await sandbox.reaches(reference, 'GENERATED');
  owned.TV = { id: requestId, reference, serialNumber: serialNumber ?? '', sessionId: '' };
  const regular = makeRegularRequest({
    identificationNumber: personal.ownersCedula,
    emailAddress: personal.ownersEmail,
    address: personal.ownersAddress,
  });
  const { body } = await callAs(sandbox.token, 'registerRegular', { body: regular });
  owned.FR = {
    id: String((body as { requestId?: unknown }).requestId),
    reference: regular.referenceTransaction,
    serialNumber: '',
    sessionId: '',
  };
  await ownOthers();
  await ownSteps();
}

/** A request of the API flow whose proof of life was begun. */
async function ownSteps(): Promise<void> {
  const { token } = scene.partners.sandbox;
  const step = async (id: OperationId, way: Pick<Call, 'query' | 'body'>) =>
    (await callAs(token, id, way)).body as Record<string, string>;
  termsId = (await step('activeTerms', { query: { type: 'TRADITIONAL_SIGNATURE' } })).id ?? '';
  const body = makeSignatureRequest(termsId, {
    identificationNumber: personal.ownersCedula,
    email: personal.ownersEmail,
    address: personal.ownersAddress,
  });
  const { signatureRequestId = '' } = await step('requestSignature', { body });
  await step('validateIdentity', { body: makeIdentityValidation(signatureRequestId) });
  const { livenessSessionId = '' } = await step('requestLiveness', { body: { signatureRequestId } });
  const reference = body.referenceTransaction;
  owned.API = { id: signatureRequestId, reference, serialNumber: '', sessionId: livenessSessionId };
}

/** One transactional request, issued, and one simplified one that waits for its claim. */
async function ownOthers(): Promise<void> {
  const ownersData = { identificationNumber: personal.ownersCedula };
  const transactional = makeTransactionalRequest({
    ...ownersData,
    applicantName: personal.ownersName,
    email: personal.ownersEmail,
    address: personal.ownersAddress,
  });
  const simplified = makeSimplifiedRequest({ ...ownersData, emailAddress: personal.ownersEmail });
  const { token } = scene.partners.sandbox;
  for (const [family, id, body] of [
    ['FT', 'registerTransactional', transactional],
    ['FS', 'registerSimplified', simplified],
  ] as const) {
    const answer = (await callAs(token, id, { body })).body as Record<string, string>;
    const name = identifierNames[family];
    owned[family] = { ...owned[family], id: answer[name] ?? '', reference: body.referenceTransaction };
  }
  await until('the transactional certificate', async () => {
    const { status } = await callAs(token, 'transactionalCertificate', queryByReference(owned.FT));
    return status === 200 || undefined;
  });
}

const callAs = (token: string, id: OperationId, way: Pick<Call, 'query' | 'body'>): Promise<Answer> => {
  const operation: Operation = operations[id];
  const { method, path, mediaType } = operation;
  // A batch of one line is its JSON.
  const headers: Call['headers'] = mediaType === 'application/x-ndjson' ? { 'content-type': mediaType } : {};
  return scene.call({ method, path, token, headers, ...way });
};

const scene = await disposeAfterAll(joinScene());
await own();

const made = (): Names => ({
  id: randomUUID(),
  reference: makeReference(),
  serialNumber: randomBytes(16).toString('hex').toUpperCase(),
  sessionId: randomUUID(),
});

it.each(reaching)(
  "$id does not know another partner's request, and says so as of one that is not there ($index)",
  async ({ id, way, owner }) => {
    const { token } = scene.partners.other;
    const own = await callAs(scene.partners.sandbox.token, id, way(owned[owner]));
    // The owner is known: it is the stranger that makes the difference.
    expect(own.status).not.toBe(404);
    const [foreign, unknown] = [
      await callAs(token, id, way(owned[owner])),
      await callAs(token, id, way(made())),
    ].map(parseErrorAnswer);
    expect(foreign?.status).toBe(404);
    const told = ({ timestamp: _when, traceId: _trace, ...rest }: NonNullable<typeof foreign>) => rest;
    expect(told(foreign as never)).toEqual(told(unknown as never));
  },
);

it.each(rows.filter(([, one]) => typeof one === 'object' && 'registers' in one))(
  "%s lets a partner use another's reference, and gives it nothing of the other's",
  async (id, one) => {
    if (typeof one !== 'object' || !('registers' in one)) throw new Error('no registration');
    const { id: ownersId, reference } = owned[one.owner];
    const answer = await callAs(scene.partners.other.token, id, { body: one.registers(reference) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain(ownersId);
  },
);

it('logs nothing of what was asked for, nor of what was sent', async () => {
  const folder = join(scene.stack.home, 'logs');
  const files = (await readdir(folder)).filter((file) => file !== 'mail.log');
  const text = await until('a line about the last refusal', async () => {
    const all = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    return all.includes('REQUEST_NOT_FOUND') || all.includes('"status":404') ? all : undefined;
  });
  const found = Object.entries(personal).filter(([, value]) => text.includes(value));
  expect(found).toEqual([]);
});
