import type { Message } from '@rubrica/contracts/messages/messages';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { freshEvidence } from './support/fresh-evidence.ts';
import { changePartner } from './support/own-database.ts';
import { asPartner, makeRegistration, partnerIds, runningIntake } from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake({ RESEND_INTERVAL_SECONDS: '3600' }));

function sandbox() {
  return intake.client(asPartner('sandbox')).requests;
}

function own(requestId: string) {
  return { family: 'TV' as const, requestId };
}

function statusOf(requestId: string) {
  return sandbox().status.query(own(requestId));
}

function until(requestId: string, status: string) {
  return pollFor(async () => {
    const record = await statusOf(requestId);
    return record.status === status && record;
  });
}

function retry(requestId: string, corrections: Record<string, string> = {}) {
  return sandbox().retry.mutate({ ...own(requestId), corrections, faults: [] });
}

async function register(fields: Record<string, string | undefined> = {}) {
  return (await sandbox().register.mutate(makeRegistration(fields))).requestId;
}

function eventsOf(requestId: string) {
  return intake.query<{ type: string; message: string }>(
    'select type, message from intake.webhook_event where request_id = $1 order by occurred_at, id',
    [requestId],
  );
}

function issued(requestId: string, overrides: Partial<Message<'events.certificate.issued'>> = {}) {
  return intake.tell('events.certificate.issued', {
    requestId,
    attempt: 1,
    certificateId: uuidv7(),
    serialNumber: 'ABCDEF0123456789',
    notBefore: '2026-11-21T00:00:00.000Z',
    notAfter: '2027-11-20T23:59:59.000Z',
    cappedBy: null,
    truncated: [],
    ...overrides,
  });
}

describe('a registration', () => {
  it('begins its validation in the copy that stores it, with one lease and without a job', async () => {
    const requestId = await register();
    await until(requestId, 'GENERATING');
    const [row] = await intake.query(
      'select fence, lease_until as "leaseUntil" from intake.request where id = $1',
      [requestId],
    );
    // One fence for the lease, one for its end.
    expect(row).toEqual({ fence: 2, leaseUntil: null });
    const triggers = await intake.query(
      'select trigger, status, actor from intake.step where request_id = $1 order by place',
      [requestId],
    );
    expect(triggers).toEqual([
      { trigger: 'register', status: 'REGISTERED', actor: 'partner' },
      { trigger: 'startValidation', status: 'VALIDATING', actor: 'service:intake' },
      { trigger: 'passToGeneration', status: 'GENERATING', actor: 'service:intake' },
    ]);
    // One entry for both.
    expect(
      await intake.query('select 1 from intake.timeline where request_id = $1', [requestId]),
    ).toHaveLength(2);
    const jobs = await intake.outbox('jobs.validation.requested');
    expect(jobs.filter((job) => job.requestId === requestId)).toEqual([]);
  });

  it('whose copy died with it in hand is waked by the sweep once its lease is over', async () => {
    const requestId = await register();
    await until(requestId, 'GENERATING');
    // As the row is while it is in hand; the lease is that of a process that is no more.
    await intake.query(
      `update intake.request set status = 'VALIDATING', validation_status = 'AUTOMATICALLY_VALIDATING',
         lease_until = now() - interval '1 second', due_at = now() - interval '1 second', attempts = 1
       where id = $1`,
      [requestId],
    );
    await until(requestId, 'GENERATING');
    const jobs = await intake.outbox('jobs.validation.requested');
    expect(jobs.filter((job) => job.requestId === requestId)).toEqual([{ requestId, attempt: 1 }]);
  });

  it('is validated, ordered from generation, and ends with the certificate and one success event', async () => {
    const input = makeRegistration();
    const answer = await sandbox().register.mutate(input);
    expect(answer).toMatchObject({
      requestId: input.requestId,
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      errors: [],
    });
    await until(answer.requestId, 'GENERATING');
    const generation = await intake.peer('generation');
    const order = await generation.issuance.order.query({ requestId: answer.requestId, attempt: 1 });
    expect(order).toMatchObject({
      sealedPassword: 'sealed.to.generation',
      passwordOrigin: 'PARTNER',
      keyType: 'RSA-2048',
      subject: {
        givenName: 'María José',
        firstSurname: 'Ñúñez',
        secondSurname: 'Pazmiño',
        countryCode: 'EC',
        address: null,
        phone: null,
      },
    });
    const privateFields = ['address', 'phone'] as const;
    const whole = { requestId: answer.requestId, attempt: 1, privateFields: [...privateFields] };
    expect((await generation.issuance.order.query(whole)).subject).toMatchObject({
      address: expect.stringMatching(/^Av/),
      phone: '+593991234567',
    });
    await changePartner(intake.ground, partnerIds.sandbox, { keyType: 'EC-P256' });
    expect(await generation.issuance.order.query(whole)).toMatchObject({ keyType: 'EC-P256' });
    await changePartner(intake.ground, partnerIds.sandbox, { keyType: 'RSA-2048' });
    await issued(answer.requestId);
    const record = await until(answer.requestId, 'GENERATED');
    expect(record).toMatchObject({
      validationStatus: 'COMPLETED',
      serialNumber: 'ABCDEF0123456789',
      certificateStatus: 'VALID',
    });
    expect((await eventsOf(answer.requestId)).map(({ type }) => type)).toEqual(['certificate.issued']);
  });

  it('foresees that the appointment ends first, and shows in the end what became of that and of long names', async () => {
    const appointmentEnd = new Date(Date.now() + 100 * DAY_MS).toISOString().slice(0, 10);
    const requestId = await register({
      applicationType: 'LEGAL_REPRESENTATIVE',
      companyRuc: '1793213150001',
      positionCompany: 'Gerente',
      companySocialReason: 'Compañía de Pruebas S.A.',
      expirationDateAppointment: appointmentEnd,
    });
    expect((await statusOf(requestId)).observations).toMatchObject([
      { type: 'WARNING', code: 'RUC_CHECK_DIGIT' },
      { type: 'WARNING', code: 'VALIDITY_CAPPED', message: expect.stringContaining(appointmentEnd) },
    ]);
    await until(requestId, 'GENERATING');
    await issued(requestId, { cappedBy: 'APPOINTMENT', truncated: ['organizationName', 'title'] });
    const { observations, observation, notAfter } = await until(requestId, 'GENERATED');
    expect(observation).toBeNull();
    expect(notAfter).toBe('2027-11-20T23:59:59.000Z');
    expect(observations).toMatchObject([
      { code: 'RUC_CHECK_DIGIT' },
      { type: 'WARNING', code: 'VALIDITY_CAPPED', message: expect.stringContaining('appointment does') },
      {
        type: 'WARNING',
        code: 'SUBJECT_SHORTENED',
        message: expect.stringContaining('organizationName, title'),
      },
    ]);
  });

  it('is answered again when the same id comes again, and stored once', async () => {
    const input = makeRegistration();
    const first = await sandbox().register.mutate(input);
    expect(await sandbox().register.mutate(input)).toEqual(first);
    const rows = await intake.query('select 1 from intake.step where request_id = $1 and trigger = $2', [
      input.requestId,
      'register',
    ]);
    expect(rows).toHaveLength(1);
  });

  it('with a reference that is taken is refused, for this partner only', async () => {
    const input = makeRegistration();
    await sandbox().register.mutate(input);
    const again = { ...makeRegistration(), fields: input.fields };
    await expect(sandbox().register.mutate(again)).rejects.toMatchObject({
      data: { appCode: 'DUPLICATED_REFERENCE_TRANSACTION' },
    });
    const other = intake.client(asPartner('other')).requests;
    expect(await other.register.mutate(again)).toMatchObject({ status: 'REGISTERED' });
  });

  it('many times at once with one reference is accepted once', async () => {
    const { fields } = makeRegistration();
    const all = await Promise.allSettled(
      Array.from({ length: 12 }, () => sandbox().register.mutate({ ...makeRegistration(), fields })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('gets the faults that the gateway found and those of the rules in one answer', async () => {
    const fault = {
      code: 'FIELD_REQUIRED' as const,
      field: 'city',
      message: 'city is required',
      correctable: true,
      retryable: false,
    };
    const input = makeRegistration({ city: undefined, period: undefined }, { faults: [fault] });
    const error = await sandbox()
      .register.mutate(input)
      .catch((caught) => caught);
    expect(error.data.details.map((one: { field: string }) => one.field)).toEqual(['city', 'period']);
  });

  it('with an evidence that cannot be read is accepted with errors, told to the partner, and mended by a retry', async () => {
    const input = makeRegistration();
    const fault = {
      code: 'EVIDENCE_INVALID' as const,
      field: 'evidences[0].evidenceFile',
      message: 'evidences[0].evidenceFile is not base64',
      correctable: true,
      retryable: false,
    };
    const [item] = input.evidence?.items ?? [];
    const answer = await sandbox().register.mutate({
      ...input,
      evidence: { key: 'k', items: [{ evidenceId: item?.evidenceId ?? '' }], errors: [fault] },
    });
    expect(answer).toMatchObject({ status: 'ERROR', validationStatus: 'ERROR', errors: [fault] });
    expect(await eventsOf(answer.requestId)).toMatchObject([
      { type: 'request.error', message: fault.message },
    ]);
    expect((await statusOf(answer.requestId)).correctableFields).toEqual(['evidences']);
    const retried = await sandbox().retry.mutate({
      ...own(answer.requestId),
      corrections: {},
      faults: [],
      evidence: freshEvidence(answer.requestId),
    });
    expect(retried).toMatchObject({
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      retryCount: 1,
      retriesRemaining: 1,
    });
    await until(answer.requestId, 'GENERATING');
  });
});

describe('a retry', () => {
  it('after a corrected finger code starts again from the beginning', async () => {
    const requestId = await register({ identificationNumber: '2450000704', fingerCode: 'A1234B5678' });
    const failed = await until(requestId, 'ERROR');
    expect(failed).toMatchObject({
      observation: { code: 'FINGER_CODE_MISMATCH' },
      correctableFields: ['fingerCode'],
    });
    expect(await retry(requestId, { fingerCode: 'v4333v2222' })).toMatchObject({
      status: 'REGISTERED',
      retryCount: 1,
    });
    await until(requestId, 'GENERATING');
  });

  it('exceeded the second time refuses, runs nothing, and sends one rejection with the limit and the last error', async () => {
    const requestId = await register({ identificationNumber: '2450000902' });
    for (const retryCount of [1, 2]) {
      await until(requestId, 'ERROR');
      expect(await retry(requestId)).toMatchObject({
        status: 'VALIDATING',
        retryCount,
        retriesRemaining: 2 - retryCount,
      });
    }
    await until(requestId, 'ERROR');
    expect(await retry(requestId)).toMatchObject({ status: 'REFUSED', retryCount: 2, retriesRemaining: 0 });
    const events = await eventsOf(requestId);
    expect(events.map(({ type }) => type)).toEqual([
      'request.error',
      'request.error',
      'request.error',
      'request.refused',
    ]);
    expect(events.at(-1)?.message).toMatch(/limit of 2 .* The identity registry does not answer/);
    await expect(retry(requestId)).rejects.toMatchObject({ data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } });
    const [row] = await intake.query(
      `select sealed_password, evidence_key, round(extract(epoch from evidence_due_at - now()) / 86400)::int as days
       from intake.request where id = $1`,
      [requestId],
    );
    expect(row).toEqual({ sealed_password: null, evidence_key: expect.any(String), days: 90 });
  });

  it('of a failed generation orders it anew, and a late word of the first attempt changes nothing', async () => {
    const requestId = await register();
    await until(requestId, 'GENERATING');
    await intake.tell('events.certificate.failed', { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' });
    expect(await until(requestId, 'ERROR')).toMatchObject({ validationStatus: 'COMPLETED' });
    expect(await retry(requestId)).toMatchObject({ status: 'GENERATING', validationStatus: 'COMPLETED' });
    await intake.tell('events.certificate.failed', { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' });
    await issued(requestId, { attempt: 2 });
    await until(requestId, 'GENERATED');
    expect((await eventsOf(requestId)).map(({ type }) => type)).toEqual([
      'request.error',
      'certificate.issued',
    ]);
  });

  it('twice at once runs once, the other is told the state', async () => {
    const requestId = await register({ identificationNumber: '2450001009' });
    await until(requestId, 'ERROR');
    const both = await Promise.allSettled([retry(requestId), retry(requestId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await until(requestId, 'GENERATING')).toMatchObject({ retryCount: 1 });
  });
});

describe('a status', () => {
  it('asked by id, by reference or by both is the same, unless the two do not agree', async () => {
    const [input, other] = [makeRegistration({ identificationNumber: '2450001504' }), makeRegistration()];
    for (const one of [input, other]) await sandbox().register.mutate(one);
    const referenceTransaction = String(input.fields.referenceTransaction);
    const byId = await pollFor(async () => {
      const record = await statusOf(input.requestId);
      return record.validationStatus === 'MANUALLY_VALIDATING' && record;
    });
    expect(byId).toMatchObject({ requestId: input.requestId, referenceTransaction });
    for (const named of [{ referenceTransaction }, { ...own(input.requestId), referenceTransaction }])
      expect(await sandbox().status.query({ family: 'TV', ...named })).toEqual(byId);
    await expect(
      sandbox().status.query({ ...own(other.requestId), referenceTransaction }),
    ).rejects.toMatchObject({ data: { appCode: 'REQUEST_NOT_FOUND' } });
    await expect(sandbox().status.query({ ...own(input.requestId), family: 'FR' })).rejects.toMatchObject({
      data: { appCode: 'REQUEST_NOT_FOUND' },
    });
  });
});

describe('another partner', () => {
  it('finds nothing, whichever way it names the request, and changes nothing', async () => {
    const input = makeRegistration();
    await sandbox().register.mutate(input);
    const other = intake.client(asPartner('other')).requests;
    const missing = { data: { appCode: 'REQUEST_NOT_FOUND' } };
    const byReference = {
      family: 'TV' as const,
      referenceTransaction: String(input.fields.referenceTransaction),
    };
    for (const identifier of [own(input.requestId), byReference]) {
      await expect(other.status.query(identifier)).rejects.toMatchObject(missing);
      await expect(other.identify.query(identifier)).rejects.toMatchObject(missing);
      expect(await sandbox().identify.query(identifier)).toEqual({ requestId: input.requestId });
      await expect(other.cancel.mutate({ ...identifier, faults: [] })).rejects.toMatchObject(missing);
      await expect(other.retry.mutate({ ...identifier, corrections: {}, faults: [] })).rejects.toMatchObject(
        missing,
      );
      await expect(other.resendLink.mutate({ ...identifier, faults: [] })).rejects.toMatchObject(missing);
    }
    expect((await statusOf(input.requestId)).status).not.toBe('CANCELLED');
  });
});

describe('a cancel', () => {
  it('ends a request that waits for review, destroys its password and dates its evidence', async () => {
    const requestId = await register({ identificationNumber: '2450001504' });
    await pollFor(async () => (await statusOf(requestId)).validationStatus === 'MANUALLY_VALIDATING');
    expect(
      await sandbox().cancel.mutate({ ...own(requestId), faults: [], reason: 'changed our mind' }),
    ).toMatchObject({
      status: 'CANCELLED',
      validationStatus: 'MANUALLY_VALIDATING',
    });
    const [row] = await intake.query(
      `select sealed_password, round(extract(epoch from evidence_due_at - now()) / 86400)::int as days,
         (select count(content)::int from intake.evidence e where e.request_id = r.id) as contents
       from intake.request r where id = $1`,
      [requestId],
    );
    expect(row).toEqual({ sealed_password: null, days: 90, contents: 1 });
  });

  it('is refused in generation', async () => {
    const requestId = await register();
    await until(requestId, 'GENERATING');
    await expect(sandbox().cancel.mutate({ ...own(requestId), faults: [] })).rejects.toMatchObject({
      data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
    });
  });
});

describe('a final fault', () => {
  it.each([
    ['2450000407', 'APPLICANT_UNDERAGE'],
    ['2450000506', 'APPLICANT_DECEASED'],
  ])(
    'of %s refuses with %s and says so in the event, not the retry limit',
    async (identificationNumber, code) => {
      const requestId = await register({ identificationNumber });
      expect(await until(requestId, 'REFUSED')).toMatchObject({
        validationStatus: 'REFUSED',
        observation: { code },
      });
      const [event] = await eventsOf(requestId);
      expect(event?.type).toBe('request.refused');
      expect(event?.message).not.toMatch(/limit/);
    },
  );
});

describe('a claim link', () => {
  const otp = () => intake.client(asPartner('otp')).requests;
  const approved = async () => {
    const input = makeRegistration({}, { sealedPassword: undefined });
    await otp().register.mutate(input);
    await pollFor(async () => (await otp().status.query(own(input.requestId))).status === 'APPROVED');
    return input.requestId;
  };

  it('goes out by mail once all checks pass, its token sealed to the notifier and stored as a hash', async () => {
    const requestId = await approved();
    const [mail] = await intake.query<{ id: string; recipient: string; partner_id: string }>(
      `select message.id, recipient, partner_id from intake.message
       join intake.request on request.id = message.request_id where request_id = $1`,
      [requestId],
    );
    expect(mail?.recipient).toBe('jane@mail.com');
    const notifier = await intake.peer('notifier');
    const message = await notifier.messages.get.query({ messageId: mail?.id ?? '' });
    expect(message.partnerId).toBe(mail?.partner_id);
    const { keyring } = await intake.ground.peer('notifier');
    const binding = { purpose: 'claim-link', owner: requestId } as const;
    const token = await keyring.openText(message.sealedSecret ?? '', binding);
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = await intake.query<{ matches: boolean }>(
      `select claim_token_sha256 = encode(sha256($2::bytea), 'hex') as matches from intake.request where id = $1`,
      [requestId, token],
    );
    expect(row?.matches).toBe(true);
  });

  it('cannot be sent again within the interval, and says how long to wait', async () => {
    const requestId = await approved();
    await expect(otp().resendLink.mutate({ ...own(requestId), faults: [] })).rejects.toMatchObject({
      data: { appCode: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
    });
  });

  it('sent again dies in its earlier form; after five times no more are sent', async () => {
    const requestId = await approved();
    const hash = async () =>
      (
        await intake.query<{ hash: string }>(
          'select claim_token_sha256 as hash from intake.request where id = $1',
          [requestId],
        )
      )[0]?.hash;
    const first = await hash();
    for (const resendCount of [1, 2, 3, 4, 5]) {
      await intake.query(
        `update intake.request set link_sent_at = now() - interval '2 hours' where id = $1`,
        [requestId],
      );
      expect(await otp().resendLink.mutate({ ...own(requestId), faults: [] })).toMatchObject({
        sentTo: 'j***@m***.com',
        resendCount,
        resendsRemaining: 5 - resendCount,
      });
    }
    expect(await hash()).not.toBe(first);
    const live = await intake.query(
      'select 1 from intake.message where request_id = $1 and sealed_secret is not null',
      [requestId],
    );
    expect(live).toHaveLength(1);
    await intake.query(`update intake.request set link_sent_at = now() - interval '2 hours' where id = $1`, [
      requestId,
    ]);
    await expect(otp().resendLink.mutate({ ...own(requestId), faults: [] })).rejects.toMatchObject({
      data: { appCode: 'RESEND_LIMIT_EXCEEDED' },
    });
  });
});

describe('an event', () => {
  it('is given to the notifier with its secrets, sealed, and to nobody else', async () => {
    const requestId = await register({ identificationNumber: '2450000803' });
    await until(requestId, 'ERROR');
    const [row] = await intake.query<{ id: string; occurred_at: Date }>(
      'select id, occurred_at from intake.webhook_event where request_id = $1',
      [requestId],
    );
    const eventId = row?.id ?? '';
    const event = await (await intake.peer('notifier')).events.get.query({ eventId });
    expect(event).toMatchObject({
      requestId,
      type: 'request.error',
      identifierName: 'linkedPartnerRequestId',
      omitPassword: false,
      grant: null,
      occurredAt: new Date(row?.occurred_at ?? 0).toISOString(),
    });
    const { keyring } = await intake.ground.peer('notifier');
    const binding = { purpose: 'webhook-secret', owner: partnerIds.sandbox } as const;
    expect(await keyring.openText(event.sealedSecrets[0] ?? '', binding)).toMatch(/^whsec_/);
    // The gateway's allow-list stops it before any guard would.
    await expect(intake.client(asPartner('sandbox')).events.get.query({ eventId })).rejects.toThrow(
      'The bus does not let',
    );
  });
});
