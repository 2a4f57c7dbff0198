import { makePng } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { operatorActor } from './support/operator-actor.ts';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene, type Scene } from './support/scene.ts';

/** Needs manual review, in every family. */
const identificationNumber = '2450001504';
const password = 'Clave larga 1.~';

const scene = await closeAfterAll(joinScene());
const info = scene.stack.info();
const reviewer = await operatorActor(info, 'reviewer');
const reviewer2 = await operatorActor(info, 'reviewer2');
const viewer = await operatorActor(info, 'viewer');

/** A request with one evidence, once it stands in the operators' queue. */
async function waiting(partner: keyof Scene['partners'], evidence: Buffer = makePng(1_000)) {
  const evidences = [{ evidenceFile: evidence.toString('base64'), evidenceType: 'SELFIE' }];
  const accepted = await scene.partners[partner].accepted({ identificationNumber, password, evidences });
  const { requestId } = accepted;
  const row = await until('its place in the queue', async () => {
    const { items } = await viewer.call('reviews.queue', { limit: 100 });
    return items.find((item) => item.requestId === requestId);
  });
  return { ...accepted, row };
}

describe('a review', () => {
  it.each([
    ['small enough to travel in the call', 1_000],
    ['kept in the object store', 600_000],
  ])('leads from the queue, by an evidence %s, to the certificate', async (_where, bytes) => {
    const { sandbox } = scene.partners;
    const png = makePng(bytes);
    const { reference, requestId, row } = await waiting('sandbox', png);
    expect(row).toMatchObject({ reviewPolicy: 'manual', reviewReason: 'REGISTRY', assignedTo: null });
    expect((await reviewer.call('reviews.assign', { requestId })).assignedTo).toBe(reviewer.email);

    const { applicant, evidence } = await reviewer.call('reviews.get', { requestId });
    expect(applicant?.details.applicantName).toBe('María José');
    const evidenceId = evidence?.[0]?.evidenceId ?? '';
    const { url } = await reviewer.call('reviews.evidence', { requestId, evidenceId });
    const shown = await fetch(url);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    const asAnother = { headers: { authorization: `Bearer ${reviewer2.token}` } };
    expect((await fetch(url, asAnother)).status).toBe(404);

    await expect(viewer.call('reviews.approve', { requestId })).rejects.toThrow('FORBIDDEN');
    await reviewer.call('reviews.approve', { requestId, comment: 'the selfie is of the applicant' });
    await sandbox.reaches(reference, 'GENERATED');
    const { body } = await sandbox.hears(reference, 'certificate.issued');
    const { leaf } = await openPkcs12(scene.folder, String(body.file), password);
    expect(leaf.subject).toContain(identificationNumber);
    const { items } = await viewer.call('audit.list', { service: 'intake', limit: 100, requestId });
    const actions = items.map(({ action }) => action).reverse();
    // A look at the queue is written down for the request only where it showed no other.
    expect(actions.filter((action) => action !== 'reviews.queue')).toEqual([
      'reviews.assign',
      'reviews.get',
      'reviews.evidence',
      'reviews.openEvidence',
      'reviews.approve',
    ]);
  });

  it('under four eyes takes two operators', async () => {
    const { reference, requestId } = await waiting('other');
    expect(await reviewer.call('reviews.approve', { requestId })).toMatchObject({
      validationStatus: 'MANUALLY_VALIDATING',
      approvals: 1,
      approvalsNeeded: 2,
    });
    await expect(reviewer.call('reviews.approve', { requestId })).rejects.toThrow(
      'REQUEST_STATE_NOT_ALLOWED',
    );
    await reviewer2.call('reviews.approve', { requestId });
    await scene.partners.other.reaches(reference, 'GENERATED');
  });

  it('that rejects refuses the request, and the partner hears why', async () => {
    const { sandbox } = scene.partners;
    const { reference, requestId } = await waiting('sandbox');
    const codes = ['SELFIE_MISMATCH' as const];
    await reviewer.call('reviews.reject', { requestId, codes, comment: 'kept in the house' });
    const { observation } = await sandbox.reaches(reference, 'REFUSED');
    expect(observation?.code).toBe('REVIEW_REJECTED');
    const { body } = await sandbox.hears(reference, 'request.refused');
    expect(body).toEqual({
      linkedPartnerRequestId: requestId,
      referenceTransaction: reference,
      status: 'REFUSED',
      message: 'The review rejected the request: The selfie does not match the identity document',
    });
  });

  it('that asks for a correction leads to a retry, and to another review', async () => {
    const { sandbox } = scene.partners;
    const { reference, requestId } = await waiting('sandbox');
    await reviewer.call('reviews.requestCorrection', { requestId, codes: ['DOCUMENT_ILLEGIBLE'] });
    expect(await sandbox.reaches(reference, 'ERROR')).toMatchObject({
      validationStatus: 'ERROR',
      observation: { code: 'DOCUMENT_ILLEGIBLE' },
      correctableFields: ['evidences'],
    });
    await sandbox.hears(reference, 'request.error');
    const evidences = [{ evidenceFile: makePng(2_000).toString('base64') }];
    await sandbox.retry({ referenceTransaction: reference, evidences });
    await until('another review', async () =>
      (await sandbox.view(reference)).validationStatus === 'MANUALLY_VALIDATING' ? true : undefined,
    );
    await reviewer.call('reviews.approve', { requestId });
    await sandbox.reaches(reference, 'GENERATED');
  });
});
