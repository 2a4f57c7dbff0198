import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Names the test that shows each operation on a running stack, or on a running gateway. */
const testFiles: Readonly<Record<OperationId, string>> = {
  registerLinkedPartner: 'packages/acceptance/e2e/registration.e2e.test.ts',
  registerLinkedPartnerBatch: 'packages/acceptance/e2e/batch.e2e.test.ts',
  retryLinkedPartner: 'packages/acceptance/e2e/retry-and-cancel.e2e.test.ts',
  cancelLinkedPartner: 'packages/acceptance/e2e/retry-and-cancel.e2e.test.ts',
  resendValidationLink: 'packages/acceptance/e2e/claim-mail.e2e.test.ts',
  linkedPartnerStatus: 'packages/acceptance/e2e/retry-and-cancel.e2e.test.ts',
  registerRegular: 'packages/acceptance/e2e/regular.e2e.test.ts',
  correctRegular: 'packages/acceptance/e2e/regular.e2e.test.ts',
  regularStatus: 'packages/acceptance/e2e/regular.e2e.test.ts',
  registerTransactional: 'packages/acceptance/e2e/transactional-and-simplified.e2e.test.ts',
  transactionalValidationStatus: 'packages/acceptance/e2e/transactional-and-simplified.e2e.test.ts',
  transactionalCertificate: 'packages/acceptance/e2e/transactional-and-simplified.e2e.test.ts',
  registerSimplified: 'packages/acceptance/e2e/transactional-and-simplified.e2e.test.ts',
  simplifiedStatus: 'packages/acceptance/e2e/transactional-and-simplified.e2e.test.ts',
  cancelSimplified: 'packages/acceptance/e2e/transactional-and-simplified.e2e.test.ts',
  requestSignature: 'packages/acceptance/e2e/api-flow.e2e.test.ts',
  validateIdentity: 'packages/acceptance/e2e/api-flow.e2e.test.ts',
  requestLiveness: 'packages/acceptance/e2e/api-flow.e2e.test.ts',
  checkLiveness: 'packages/acceptance/e2e/api-flow.e2e.test.ts',
  issueSignature: 'packages/acceptance/e2e/api-flow.e2e.test.ts',
  signatureRequestStatus: 'packages/acceptance/e2e/api-flow.e2e.test.ts',
  listRequests: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  listCertificates: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  listEvents: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  readEvent: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  resendEvent: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  recoverEvents: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  testEvent: 'packages/acceptance/e2e/partner-lists.e2e.test.ts',
  registerLinkedPartnerDryRun: 'packages/acceptance/e2e/generated-clients.e2e.test.ts',
  registerRegularDryRun: 'packages/acceptance/e2e/generated-clients.e2e.test.ts',
  registerTransactionalDryRun: 'packages/acceptance/e2e/generated-clients.e2e.test.ts',
  registerSimplifiedDryRun: 'packages/acceptance/e2e/generated-clients.e2e.test.ts',
  renewCertificateDryRun: 'packages/acceptance/e2e/generated-clients.e2e.test.ts',
  usage: 'packages/acceptance/e2e/quota-and-usage.e2e.test.ts',
  activeTerms: 'packages/acceptance/e2e/access.e2e.test.ts',
  listProvinces: 'apps/gateway/test/reference.int.test.ts',
  listCities: 'apps/gateway/test/reference.int.test.ts',
  listPeriods: 'apps/gateway/test/reference.int.test.ts',
  listStates: 'apps/gateway/test/reference.int.test.ts',
  listTypes: 'apps/gateway/test/reference.int.test.ts',
  listEvidenceTypes: 'apps/gateway/test/reference.int.test.ts',
  listValidationErrorCodes: 'apps/gateway/test/reference.int.test.ts',
  revokeCertificate: 'packages/acceptance/e2e/revocation.e2e.test.ts',
  renewCertificate: 'packages/acceptance/e2e/renewal.e2e.test.ts',
  token: 'packages/acceptance/e2e/access.e2e.test.ts',
  serverMetadata: 'packages/acceptance/e2e/private-key.e2e.test.ts',
};

const rows = Object.entries(testFiles) as [OperationId, string][];

it('each operation that is served has a test', () => {
  expect(rows.map(([id]) => id).toSorted()).toEqual(Object.keys(operations).toSorted());
});

it.each(rows)('the test of %s makes its call, by address or by id: %s', async (id, file) => {
  const text = await readFile(join(root, file), 'utf8');
  expect(text.includes(operations[id].path) || text.includes(`'${id}'`)).toBe(true);
});
