import { expireChanges } from '@rubrica/approvals/expire-changes';
import { digestApproval } from '@rubrica/contracts/shared/approval-challenge';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { createDatabase } from '@rubrica/database/connection';
import { createSweeper } from '@rubrica/database/sweeper';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/store/schema.ts';
import { codeOf, issued as issuedIn, operator } from './support/issued-certificates.ts';
import { openScene } from './support/scene.ts';
import { openEntries } from './support/status-macs.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** One administrator, and an attacker with the rights of this service's role in the database and nothing else. */
const scene = await disposeAfterAll(openScene());
const attacker = await disposeAfterAll(
  createDatabase({ url: scene.env.ground.service.appUrl, schema, entities: [], logger }),
);

const issued = () => issuedIn(scene);
/** Each test has administrators of its own, because what one revokes within an hour is counted. */
const someone = (name: string) => ({ ...operator('admin'), email: `${name}@rubrica.test` }) as Operator;
type Operator = Extract<Caller, { kind: 'operator' }>;
const as = (person: Operator) => scene.gateway.operatorClient(person);
const statusOf = async (id: string) => (await as(someone('reader')).certificates.get.query({ id })).status;

async function onHold() {
  const certificate = await issued();
  await as(someone('holder')).certificates.hold.mutate({ id: certificate.id });
  return certificate;
}

/** Proposed by one administrator; not done. */
async function proposedRelease(by = someone('first')) {
  const { id } = await onHold();
  const answer = await as(by).certificates.release.mutate({ id });
  expect(answer).toMatchObject({ id, status: 'REVOKED', approvalId: expect.stringMatching(/^generation\./) });
  return { id, approvalId: answer.approvalId ?? '', by };
}

describe('the certificates that a search finds', () => {
  it('are revoked together by two administrators, if they are as many as was said and still the same', async () => {
    const first = someone('many-first');
    const certificate = await issued();
    const wanted = {
      requestId: certificate.requestId,
      revocationReason: 'superseded',
      reason: 'replaced',
    } as const;
    const many = as(first).certificates.revokeMany;
    expect(await codeOf(many.mutate({ ...wanted, count: 2 }))).toBe('REQUEST_STATE_NOT_ALLOWED');
    const { requestId: _, ...everything } = wanted;
    expect(await codeOf(many.mutate({ ...everything, count: 1 }))).toBe('FIELD_INVALID');

    const answer = await many.mutate({ ...wanted, count: 1 });
    expect(answer).toEqual({ revoked: 0, approvalId: expect.stringMatching(/^generation\./) });
    expect(await statusOf(certificate.id)).toBe('VALID');
    const second = as(someone('many-second'));
    const { result } = await second.approvals.approve.mutate({ id: answer.approvalId ?? '' });
    expect(result).toEqual({ revoked: 1 });
    const { status, revocationReason } = await second.certificates.get.query({ id: certificate.id });
    expect([status, revocationReason]).toEqual(['REVOKED', 'superseded']);
  });

  it('are not revoked where one of them has changed since', async () => {
    const certificate = await issued();
    const { approvalId = '' } = await as(someone('many-first')).certificates.revokeMany.mutate({
      requestId: certificate.requestId,
      revocationReason: 'superseded',
      reason: 'replaced',
      count: 1,
    });
    await as(someone('holder')).certificates.hold.mutate({ id: certificate.id });
    const approved = as(someone('many-second')).approvals.approve.mutate({ id: approvalId });
    expect(await codeOf(approved)).toBe('REQUEST_STATE_NOT_ALLOWED');
  });
});

describe('one administrator', () => {
  it('does not release a certificate, nor by approving it himself', async () => {
    const { id, approvalId, by } = await proposedRelease();
    expect(await codeOf(as(by).approvals.approve.mutate({ id: approvalId }))).toBe('FORBIDDEN');
    expect(await statusOf(id)).toBe('REVOKED');
    const answer = await as(someone('second')).approvals.approve.mutate({ id: approvalId, reason: 'found' });
    expect(answer).toMatchObject({ id: approvalId, result: { id, status: 'VALID' } });
    expect(await statusOf(id)).toBe('VALID');
  });

  it('revokes five within an hour, all copies together, and not the sixth', async () => {
    const by = someone('busy');
    await using _ = await scene.env.start();
    const certificates = await Promise.all(Array.from({ length: 8 }, issued));
    const answers = await Promise.all(
      certificates.map(({ id }) => as(by).certificates.revoke.mutate({ id, reason: 'superseded' })),
    );
    const done = answers.filter(({ approvalId }) => approvalId === undefined);
    expect(done).toHaveLength(5);
    const waiting = answers.filter(({ approvalId }) => approvalId !== undefined);
    expect(waiting.map(({ status }) => status)).toEqual(['VALID', 'VALID', 'VALID']);
    for (const { id, approvalId = '' } of waiting) {
      expect(await codeOf(as(by).approvals.approve.mutate({ id: approvalId }))).toBe('FORBIDDEN');
      expect(await statusOf(id)).toBe('VALID');
    }
    const [{ id, approvalId = '' } = { id: '' }] = waiting;
    await as(someone('second')).approvals.approve.mutate({ id: approvalId });
    expect(await statusOf(id)).toBe('REVOKED');
  });

  it('puts five on hold within an hour, and not the sixth, which a second one puts on hold', async () => {
    const by = someone('holds-many');
    const certificates = await Promise.all(Array.from({ length: 6 }, issued));
    const answers = await Promise.all(
      certificates.map(({ id }) => as(by).certificates.hold.mutate({ id, reason: 'found' })),
    );
    const waiting = answers.filter(({ approvalId }) => approvalId !== undefined);
    expect(waiting.map(({ status }) => status)).toEqual(['VALID']);
    const [{ id, approvalId = '' } = { id: '' }] = waiting;
    expect(await codeOf(as(by).approvals.approve.mutate({ id: approvalId }))).toBe('FORBIDDEN');
    expect(await statusOf(id)).toBe('VALID');
    await as(someone('second')).approvals.approve.mutate({ id: approvalId });
    expect(await statusOf(id)).toBe('REVOKED');
  });

  it('revokes again when the hour is over; what was refused was not counted', async () => {
    const by = someone('patient');
    const revoked = await issued();
    await as(by).certificates.revoke.mutate({ id: revoked.id });
    for (let tries = 0; tries < 6; tries++)
      expect(await codeOf(as(by).certificates.revoke.mutate({ id: revoked.id }))).toBe(
        'CERTIFICATE_ALREADY_REVOKED',
      );
    const revokeOne = async () =>
      (await as(by).certificates.revoke.mutate({ id: (await issued()).id })).approvalId;
    for (let more = 0; more < 4; more++) expect(await revokeOne()).toBeUndefined();
    expect(await revokeOne()).toBeDefined();
    const trigger = (how: string) =>
      scene.env.database.query(`alter table generation.alone_change ${how} trigger alone_change_is_kept`);
    await trigger('disable');
    await scene.env.database.query(
      `update generation.alone_change set at = at - interval '61 minutes' where operator_id = $1`,
      [by.operatorId],
    );
    await trigger('enable');
    expect(await revokeOne()).toBeUndefined();
  });

  it('who is none any more does nothing, though the token says otherwise', async () => {
    const by = someone('former');
    const { id } = await issued();
    const { administrators } = scene.env.intake;
    administrators.set(by.operatorId, false);
    for (const call of [as(by).certificates.revoke, as(by).certificates.hold])
      expect(await codeOf(call.mutate({ id }))).toBe('FORBIDDEN');
    administrators.set(by.operatorId, true);
    expect(await statusOf(id)).toBe('VALID');
  });
});

describe('an approval is refused', () => {
  const isRefused = async (approvalId: string, by: Operator, code: string) =>
    expect(await codeOf(as(by).approvals.approve.mutate({ id: approvalId }))).toBe(code);

  it('where either person is no enabled administrator, or one has made the other', async () => {
    const { approvalId, by, id } = await proposedRelease();
    const second = someone('second');
    const { administrators } = scene.env.intake;
    administrators.set(second.operatorId, false);
    await isRefused(approvalId, second, 'FORBIDDEN');
    administrators.set(second.operatorId, true);
    administrators.set(by.operatorId, false);
    await isRefused(approvalId, second, 'REQUEST_STATE_NOT_ALLOWED');
    administrators.set(by.operatorId, true);
    administrators.bind(true);
    await isRefused(approvalId, second, 'FORBIDDEN');
    administrators.bind(false);
    expect(await statusOf(id)).toBe('REVOKED');
  });

  it('after the certificate has changed, and once it was used', async () => {
    const { approvalId, id } = await proposedRelease();
    const again = await proposedRelease();
    await as(someone('another')).certificates.revoke.mutate({ id });
    await isRefused(approvalId, someone('second'), 'CERTIFICATE_ALREADY_REVOKED');
    await as(someone('second')).approvals.approve.mutate({ id: again.approvalId });
    await as(someone('another')).certificates.hold.mutate({ id: again.id });
    await isRefused(again.approvalId, someone('second'), 'REQUEST_NOT_FOUND');
    expect(await statusOf(again.id)).toBe('REVOKED');
  });

  it('after a release and another hold in between: the certificate is not the one that was seen', async () => {
    const { approvalId, id, by } = await proposedRelease();
    await scene.env.database.query(
      `with changed as (
         update generation.certificate set status_version = status_version + 2 where id = $1
         returning request_id, attempt, serial
       )
       insert into generation.audit_entry (action, actor, request_id, attempt, serial, detail)
       select action, 'operator:another', request_id, attempt, serial, '{}' from changed,
         unnest(array['certificate.released', 'certificate.held']) as action`,
      [id],
    );
    await isRefused(approvalId, someone('second'), 'REQUEST_STATE_NOT_ALLOWED');
    expect((await as(by).certificates.get.query({ id })).status).toBe('REVOKED');
  });
});

it('a proposal is bound to what approvals.get shows', async () => {
  const { approvalId } = await proposedRelease();
  const shown = await as(someone('second')).approvals.get.query({ id: approvalId });
  const kept = await attacker.execute<{ digest: string }>('select digest from approval where id = $1', [
    approvalId.replace('generation.', ''),
  ]);
  expect(kept).toEqual([{ digest: await digestApproval(shown) }]);
});

describe('who may write to the tables of generation alone', () => {
  it('forges no proposal', async () => {
    const { id, requestId, serialNumber } = await onHold();
    const { heldAt, subject, notBefore, notAfter } = await as(someone('reader')).certificates.get.query({
      id,
    });
    const procedure = 'certificates.release';
    const before = { id, requestId, serialNumber, subject, notBefore, notAfter, heldAt, version: 2 };
    const bound = { procedure, input: { id }, before };
    const digest = await digestApproval({ change: bound, before: bound.before });
    const forged = uuidv7();
    await attacker.execute(
      `insert into approval (id, procedure, input, before, after, digest, proposed_by, proposer_email, created_at,
         expires_at, version, mac)
       select $1, $2, $3, $4, '{}', $5, $6, 'first@rubrica.test', now(), now() + interval '1 day', 1,
         coalesce((select mac from approval limit 1), '')`,
      [forged, procedure, JSON.stringify(bound.input), JSON.stringify(before), digest, uuidv7()],
    );
    const approval = { id: `generation.${forged}` };
    expect(await codeOf(as(someone('second')).approvals.approve.mutate(approval))).toBe('REQUEST_NOT_FOUND');
    const { items } = await as(someone('second')).approvals.list.query({ limit: 100 });
    expect(items.map((item) => item.id)).not.toContain(approval.id);
    expect(await statusOf(id)).toBe('REVOKED');
    const real = await as(someone('first')).certificates.release.mutate({ id });
    expect(real.approvalId).not.toBe(approval.id);
    // The record that was forged is the true one: the digest alone would have let it pass.
    const { digest: ofReal } = (
      await scene.env.database.query<{ digest: string }>(
        'select digest from generation.approval where id = $1',
        [real.approvalId?.split('.')[1]],
      )
    )[0] ?? { digest: '' };
    expect(ofReal).toBe(digest);
  });
});

it('what became of a change that waited stands in the audit log, with its end after 72 hours', async () => {
  const { approvalId } = await proposedRelease();
  const tasks = expireChanges('generation', {
    form: 'certificates',
    now: () => new Date(Date.now() + 73 * 3_600_000),
  });
  const entries = await openEntries(scene.env);
  const { appUrl: url } = scene.env.ground.service;
  await using own = createDatabase({ url, schema, entities: [], entries, logger });
  await createSweeper({ database: own, tasks, logger }).sweep();
  expect(await codeOf(as(someone('second')).approvals.approve.mutate({ id: approvalId }))).toBe(
    'REQUEST_NOT_FOUND',
  );
  const { items } = await as(someone('reader')).audit.list.query({ service: 'generation', limit: 100 });
  const target = `approval:${approvalId.split('.')[1]}`;
  expect(items.filter((item) => item.target === target).map(({ action, actor }) => [action, actor])).toEqual([
    ['approvals.expire', 'service:generation'],
    ['approvals.propose', 'operator:first@rubrica.test'],
  ]);
});
