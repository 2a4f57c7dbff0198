import { createDatabase } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { claimGround, fault } from './support/claims.ts';
import { asOperator, asPartner, makeRegistration, partnerIds } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with the rights of intake's role in the database and nothing else; intake runs meanwhile. */
const ground = await disposeAfterAll(claimGround());
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

type Row = Record<string, unknown>;
const readRow = async (requestId: string) => {
  const [row] = await attacker.execute<{ row: Row }>(
    'select to_jsonb(request) as row from request where id = $1',
    [requestId],
  );
  return row?.row ?? {};
};
/** Puts a request back as it was, its MAC and all. */
async function putBack(row: Row): Promise<void> {
  const columns = Object.keys(row).filter((column) => column !== 'id');
  const set = columns.map((column) => `${column} = old.${column}`).join(', ');
  const sql = `update request set ${set} from jsonb_populate_record(null::request, $1::jsonb) as old where request.id = old.id`;
  await attacker.execute(sql, [JSON.stringify(row)]);
}
async function change(requestId: string, set: string): Promise<void> {
  const changed = await attacker.execute(`update request set ${set} where id = $1 returning 1`, [requestId]);
  expect(changed).toHaveLength(1);
}
async function order(requestId: string, attempt = 1) {
  const generation = await ground.intake.peer('generation');
  return generation.issuance.order.query({ requestId, attempt });
}
async function isAlarmed(id: string, table = 'request'): Promise<boolean> {
  const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
  return warnings.some(({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `${table}:${id}`);
}
async function expectNoOrder(requestId: string, attempt = 1): Promise<void> {
  await expect(order(requestId, attempt)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
  expect(await isAlarmed(requestId)).toBe(true);
}
const partner = () => ground.intake.client(asPartner('sandbox')).requests;
const reaches = (requestId: string, status: string) =>
  pollFor(async () => (await readRow(requestId)).status === status, { what: status });

async function generating(fields: Record<string, string | undefined> = {}) {
  const input = makeRegistration(fields);
  await partner().register.mutate(input);
  await reaches(input.requestId, 'GENERATING');
  return input.requestId;
}
const reviewed = '2450001504';
async function waitingForReview() {
  const input = makeRegistration({ identificationNumber: reviewed });
  await partner().register.mutate(input);
  await pollFor(async () => (await readRow(input.requestId)).validation_status === 'MANUALLY_VALIDATING', {
    what: 'a review',
  });
  return input.requestId;
}
async function claimed() {
  const link = await ground.approved();
  await ground.claim(link, await ground.sendCode(link));
  return link;
}
async function issued(requestId: string, attempt = 1): Promise<void> {
  await ground.intake.tell('events.certificate.issued', {
    ...{ requestId, attempt, certificateId: uuidv7(), serialNumber: 'ABCDEF0123456789' },
    ...{ notBefore: '2026-11-21T00:00:00.000Z', notAfter: '2027-11-20T23:59:59.000Z' },
    ...{ cappedBy: null, truncated: [] },
  });
  await reaches(requestId, 'GENERATED');
}

/** Every registered column, as an attacker would change it. */
const alterations: readonly (readonly [name: string, set: string])[] = [
  ['another person', `identification_number = '1710034065'`],
  ['another name', `details = jsonb_set(details, '{applicantName}', '"ROSA ELENA"')`],
  ['another e-mail', `details = jsonb_set(details, '{email}', '"me@elsewhere.example"')`],
  ['another telephone', `details = jsonb_set(details, '{cellphoneNumber}', '"+593990000000"')`],
  ['another kind', `application_type = 'LEGAL_REPRESENTATIVE'`],
  ['another certificate type', `certificate_type = 'TRANSACTIONAL_SIGNATURE'`],
  ['another period', `period = 'FIVE_YEARS'`],
  ['another destination', `callback_url = 'http://127.0.0.1:9/mine'`],
  ['another family', `family = 'FT'`],
  [
    'a password of the service',
    `password_origin = 'SERVICE', sealed_password = null, password_sha256 = null`,
  ],
  ['another password', `sealed_password = 'sealed.by.another'`],
  ['another password and its digest', `sealed_password = 'x', password_sha256 = encode(sha256('x'), 'hex')`],
  ['a claim that was made', 'claimed_at_registration = not claimed_at_registration'],
  ['other evidence', `evidence_sha256 = repeat('0', 64)`],
  ['another attempt', 'validation_attempt = validation_attempt + 1'],
  ['another review policy', `review_policy = 'four-eyes'`],
  ['the place of another certificate', 'supersedes = not supersedes'],
  ['another decision', `decision = jsonb_set(decision, '{checks}', '["REVIEW"]')`],
  ['no decision', 'decision = null'],
  ['another version', 'data_version = data_version + 1'],
  ['no MAC', 'data_mac = null'],
];

describe('a request in GENERATING', () => {
  it('is ordered, with a statement that intake has signed', async () => {
    const requestId = await generating();
    const { statement } = await order(requestId);
    const { keyring } = await ground.intake.ground.peer('generation');
    const expected = { type: 'rubrica-order+jwt', issuer: 'intake' };
    expect(keyring.verifyStatement(statement ?? '', expected).claims).toMatchObject({
      ...{ aud: 'generation', requestId, attempt: 1, partnerId: partnerIds.sandbox },
      ...{ passwordOrigin: 'PARTNER', checks: ['FILES', 'IDENTITY'], approvals: [] },
    });
    expect((await order(requestId)).statement).toBe(statement);
  });

  it.each(alterations)('is not ordered with %s', async (_name, set) => {
    const requestId = await generating();
    await change(requestId, set);
    await expectNoOrder(requestId);
  });

  it('stays the request of its partner, who finds it', async () => {
    const requestId = await generating();
    await expect(change(requestId, `partner_id = '${partnerIds.other}'`)).rejects.toThrow('never change');
  });

  it('is ordered again once it is as it was, and stays in the warnings', async () => {
    const requestId = await generating();
    const row = await readRow(requestId);
    await change(requestId, `identification_number = '1710034065'`);
    await expectNoOrder(requestId);
    await putBack(row);
    expect(await order(requestId)).toMatchObject({ requestId });
    expect(await isAlarmed(requestId)).toBe(true);
  });

  it('is not ordered with data, decision and MAC of another request', async () => {
    const [mine, other] = [await generating(), await readRow(await generating())];
    const { id: _other, reference_transaction: _reference, ...rest } = other;
    await putBack({ ...(await readRow(mine)), ...rest });
    await expectNoOrder(mine);
  });
});

describe('a state that the database alone says', () => {
  const generatingNow = `status = 'GENERATING', validation_status = 'COMPLETED', generation_attempt = 1`;

  it('orders nothing for a request that waits for a review', async () => {
    const requestId = await waitingForReview();
    await change(requestId, generatingNow);
    await expectNoOrder(requestId);
  });

  it('orders nothing with a decision that was made up, or copied', async () => {
    const requestId = await waitingForReview();
    const other = await readRow(await generating());
    const madeUp = {
      outcome: 'PASSED',
      attempt: 1,
      failures: 0,
      checks: [],
      approvals: [],
      at: '2026-01-01T00:00:00Z',
    };
    for (const decision of [{ ...(other.decision as Row) }, madeUp]) {
      await change(requestId, `${generatingNow}, decision = '${JSON.stringify(decision)}'`);
      await expectNoOrder(requestId);
    }
  });

  it('lets nobody claim a request that was not approved', async () => {
    const input = makeRegistration({ identificationNumber: reviewed }, { sealedPassword: undefined });
    await ground.otp.register.mutate(input);
    const { requestId } = input;
    await pollFor(async () => (await readRow(requestId)).validation_status === 'MANUALLY_VALIDATING', {
      what: 'a review',
    });
    const link = await ground.approved();
    const { claim_token_sha256: hash } = await readRow(link.requestId);
    await change(link.requestId, 'claim_token_sha256 = null');
    await change(
      requestId,
      `status = 'APPROVED', validation_status = 'COMPLETED', claim_token_sha256 = '${hash}',
       claim_expires_at = now() + interval '1 day'`,
    );
    await attacker.execute(`update claim_link set request_id = $1 where token_sha256 = $2`, [
      requestId,
      hash,
    ]);
    const code = await ground.sendCode(link).catch(() => '123456');
    await expect(ground.claim(link, code)).rejects.toBeDefined();
    expect(await readRow(requestId)).toMatchObject({ generation_attempt: 0 });
  });
});

describe('a request that waits for a review', () => {
  it.each(alterations.filter(([name]) => !name.includes('decision') && name !== 'another password'))(
    'is not approved with %s',
    async (_name, set) => {
      const requestId = await waitingForReview();
      await change(requestId, set);
      const { reviews } = ground.intake.operators(asOperator('admin'));
      await expect(reviews.approve.mutate({ requestId })).rejects.toMatchObject(
        fault('REQUEST_STATE_NOT_ALLOWED'),
      );
      expect(await isAlarmed(requestId)).toBe(true);
      expect(await readRow(requestId)).toMatchObject({ status: 'VALIDATING', generation_attempt: 0 });
    },
  );

  it.each([
    ['altered', `update evidence set sha256 = repeat('0', 64) where request_id = $1`],
    ['of another kind', `update evidence set evidence_type = 'SELFIE' where request_id = $1`],
    ['gone', 'delete from evidence where request_id = $1'],
    [
      'one more',
      `insert into evidence (id, request_id, position, validator_url) values (gen_random_uuid(), $1, 9, 'https://v.example')`,
    ],
  ])('is not approved with evidence that is %s', async (_name, sql) => {
    const requestId = await waitingForReview();
    await attacker.execute(sql, [requestId]);
    const { reviews } = ground.intake.operators(asOperator('admin'));
    await expect(reviews.approve.mutate({ requestId })).rejects.toMatchObject(
      fault('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect(await isAlarmed(requestId)).toBe(true);
  });

  it('is reviewed again where anything that was shown is corrected after its generation failed', async () => {
    const requestId = await waitingForReview();
    await ground.intake.operators(asOperator('admin')).reviews.approve.mutate({ requestId });
    const failed = { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' } as const;
    await ground.intake.tell('events.certificate.failed', failed);
    await pollFor(async () => (await readRow(requestId)).status === 'ERROR');
    const corrections = { email: 'elsewhere@example.com' };
    await ground.intake
      .client(asPartner('sandbox'))
      .requests.retry.mutate({ family: 'TV', requestId, corrections, faults: [] });
    await pollFor(async () => (await readRow(requestId)).validation_status === 'MANUALLY_VALIDATING');
    expect(await readRow(requestId)).toMatchObject({ generation_attempt: 1 });
  });

  it('is approved as it was registered, and its order names the approval', async () => {
    const requestId = await waitingForReview();
    await ground.intake.operators(asOperator('admin')).reviews.approve.mutate({ requestId });
    const { statement } = await order(requestId);
    const { keyring } = await ground.intake.ground.peer('generation');
    const approvals = await attacker.execute<{ id: string }>(
      'select id from review_approval where request_id = $1',
      [requestId],
    );
    const expected = { type: 'rubrica-order+jwt', issuer: 'intake' };
    expect(keyring.verifyStatement(statement ?? '', expected).claims).toMatchObject({
      checks: ['FILES', 'IDENTITY', 'REVIEW'],
      approvals: approvals.map(({ id }) => id),
    });
  });
});

describe('an older row that is put back, its MAC and all', () => {
  it('lets nobody claim what the applicant has disputed, or what was cancelled', async () => {
    for (const end of ['dispute', 'cancel'] as const) {
      const link = await ground.approved();
      const code = await ground.sendCode(link);
      const before = await readRow(link.requestId);
      const codes = await attacker.execute<{ row: Row }>(
        'select to_jsonb(claim_code) as row from claim_code where request_id = $1',
        [link.requestId],
      );
      if (end === 'dispute') await ground.claims.report.mutate({ ...link, report: 'DISPUTED' });
      else await ground.otp.cancel.mutate({ family: 'TV', requestId: link.requestId, faults: [] });
      await putBack(before);
      for (const { row } of codes)
        await attacker.execute('update claim_code set digest = $2, sealed_key = $3 where id = $1', [
          row.id,
          row.digest,
          row.sealed_key,
        ]);
      await expect(ground.claim(link, code)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
      expect(await isAlarmed(link.requestId)).toBe(true);
    }
  });

  it('has no second certificate made', async () => {
    const requestId = await generating();
    const before = await readRow(requestId);
    await issued(requestId);
    await putBack(before);
    await expectNoOrder(requestId);
    await change(requestId, 'generation_attempt = 2');
    await expectNoOrder(requestId, 2);
  });

  it('has nothing made of what was cancelled, nor of the password before a claim', async () => {
    const link = await claimed();
    const claimedRow = await readRow(link.requestId);
    await change(
      link.requestId,
      `sealed_password = 'older', password_sha256 = encode(sha256('older'), 'hex')`,
    );
    await expectNoOrder(link.requestId);
    await putBack(claimedRow);
    expect(await order(link.requestId)).toMatchObject({ passwordOrigin: 'HOLDER' });
  });

  it('brings no data back that were corrected since', async () => {
    const input = makeRegistration({ fingerCode: 'A1234B5678', identificationNumber: '2450000704' });
    await partner().register.mutate(input);
    const { requestId } = input;
    await reaches(requestId, 'ERROR');
    const before = await readRow(requestId);
    const { details, data_mac, data_version, decision } = before;
    await partner().retry.mutate({
      ...{ family: 'TV', requestId, faults: [] },
      corrections: { fingerCode: 'V4333V2222', applicantName: 'Ana' },
    });
    await reaches(requestId, 'GENERATING');
    const now = await readRow(requestId);
    await putBack({ ...now, details, data_mac, data_version, decision, validation_attempt: 1 });
    await expectNoOrder(requestId);
    await putBack({ ...before, fence: now.fence });
    await expect(
      partner().retry.mutate({ family: 'TV', requestId, faults: [], corrections: {} }),
    ).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });

  it('finds a timeline that nobody can shorten', async () => {
    const requestId = await generating();
    for (const sql of [
      'delete from timeline where request_id = $1',
      `update timeline set status = 'APPROVED' where request_id = $1`,
      `update timeline set trigger = 'approve', validation_status = 'COMPLETED' where request_id = $1`,
      'update timeline set request_id = gen_random_uuid() where request_id = $1',
    ])
      await expect(attacker.execute(sql, [requestId])).rejects.toThrow(/permission denied/);
    await attacker.execute(
      `insert into timeline (request_id, trigger, status, validation_status, actor)
       values ($1, 'refuse', 'REFUSED', 'REFUSED', 'me')`,
      [requestId],
    );
    await expectNoOrder(requestId);
  });
});

describe('a request that has ended', () => {
  it.each([
    ['REGISTERED', 'PENDING'],
    ['VALIDATING', 'AUTOMATICALLY_VALIDATING'],
  ])('is not validated again as %s', async (status, validationStatus) => {
    const link = await ground.approved();
    await ground.claims.report.mutate({ ...link, report: 'DISPUTED' });
    const { requestId } = link;
    await change(
      requestId,
      `status = '${status}', validation_status = '${validationStatus}', lease_until = null, due_at = now()`,
    );
    await attacker.execute(
      `insert into outbox (message_id, subject, payload) values ('again:' || $1::text, 'jobs.validation.requested',
         jsonb_build_object('requestId', $1::text, 'attempt', 1))`,
      [requestId],
    );
    await pollFor(() => isAlarmed(requestId), { what: 'the alarm' });
    expect(await readRow(requestId)).toMatchObject({ generation_attempt: 0, validation_attempt: 1 });
  });
});

describe('a review that the database alone asks for', () => {
  it('is nobody’s to approve: not what failed its checks, nor what a reviewer gave back', async () => {
    const { reviews } = ground.intake.operators(asOperator('admin'));
    const asked = `status = 'VALIDATING', validation_status = 'MANUALLY_VALIDATING'`;
    const input = makeRegistration({ fingerCode: 'A1234B5678', identificationNumber: '2450000704' });
    await partner().register.mutate(input);
    await reaches(input.requestId, 'ERROR');
    await change(input.requestId, asked);
    const givenBack = await waitingForReview();
    const before = await readRow(givenBack);
    await reviews.requestCorrection.mutate({
      requestId: givenBack,
      codes: ['DOCUMENT_ILLEGIBLE'],
      comment: 'unreadable',
    });
    await putBack(before);
    for (const requestId of [input.requestId, givenBack]) {
      await expect(reviews.approve.mutate({ requestId })).rejects.toMatchObject(
        fault('REQUEST_STATE_NOT_ALLOWED'),
      );
      expect(await isAlarmed(requestId)).toBe(true);
    }
  });
});

describe('a message', () => {
  it('goes to no address that was not registered', async () => {
    const link = await ground.approved();
    const notifier = await ground.intake.peer('notifier');
    const [message] = await attacker.execute<{ id: string }>('select id from message where request_id = $1', [
      link.requestId,
    ]);
    const messageId = message?.id ?? '';
    const { to } = await notifier.messages.get.query({ messageId });
    await attacker.execute(`update message set recipient = 'me@elsewhere.example' where id = $1`, [
      messageId,
    ]);
    expect(await notifier.messages.get.query({ messageId })).toMatchObject({ sealedSecret: null });
    expect(await isAlarmed(messageId, 'message')).toBe(true);
    await attacker.execute('update message set recipient = $2 where id = $1', [messageId, to]);
    const email = `details = jsonb_set(details, '{email}', '"me@elsewhere.example"')`;
    await change(link.requestId, email);
    await attacker.execute(`update message set recipient = 'me@elsewhere.example' where id = $1`, [
      messageId,
    ]);
    await expect(notifier.messages.get.query({ messageId })).rejects.toMatchObject(
      fault('SERVICE_UNAVAILABLE'),
    );
    expect(await isAlarmed(link.requestId)).toBe(true);
  });
});

describe('a webhook event', () => {
  it('goes to no destination that was not registered, at its first attempt nor later', async () => {
    const requestId = await generating();
    await issued(requestId);
    const [event] = await attacker.execute<{ id: string }>(
      `select id from webhook_event where request_id = $1 and type = 'certificate.issued'`,
      [requestId],
    );
    const eventId = event?.id ?? '';
    const notifier = await ground.intake.peer('notifier');
    const { url } = await notifier.events.get.query({ eventId });
    const { destinationSha256 } = await notifier.events.signing.mutate({ eventId });
    expect(destinationSha256).toBe(ground.sha256(url));
    await change(requestId, `callback_url = 'http://127.0.0.1:9/mine'`);
    await expect(notifier.events.get.query({ eventId })).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    await expect(notifier.events.signing.mutate({ eventId })).rejects.toMatchObject(
      fault('SERVICE_UNAVAILABLE'),
    );
    expect(await isAlarmed(requestId)).toBe(true);
  });
});
