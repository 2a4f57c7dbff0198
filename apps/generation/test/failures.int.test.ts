import { lintRules } from '@rubrica/pki';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene());

describe('an order that cannot become a certificate', () => {
  it('fails with APPOINTMENT_EXPIRED when the appointment has ended', async () => {
    const event = await scene.order({
      applicationType: 'LEGAL_REPRESENTATIVE',
      appointmentExpiresAt: new Date(Date.now() - 60_000).toISOString(),
      subject: { companyRuc: '1790012345001', companySocialReason: 'X', positionCompany: 'Y' },
    });
    expect(event).toMatchObject({ subject: 'failed', code: 'APPOINTMENT_EXPIRED' });
  });

  it('fails with CERTIFICATE_LINT_FAILED when the linter objects, and abandons the serial number', async () => {
    const event = await scene.order({ subject: { countryCode: 'ec' } });
    expect(event).toMatchObject({ subject: 'failed', code: 'CERTIFICATE_LINT_FAILED' });
    const [row] = await scene.env.database.query<{ state: string }>(
      'select state from generation.serial_number where request_id = $1',
      [event.requestId],
    );
    expect(row?.state).toBe('ABANDONED');
    const [audit] = await scene.env.database.query<{ detail: { reason: string } }>(
      `select detail from generation.audit_entry where request_id = $1 and action = 'certificate.refused'`,
      [event.requestId],
    );
    expect(audit?.detail.reason).toContain('subject_country_code');
    expect(lintRules.map(({ id }) => id)).toContain('subject_country_code');
  });

  it('fails with P12_PACKAGING_FAILED when the password is sealed to another service', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    const binding = { purpose: 'certificate-password', owner: job.requestId } as const;
    const event = await scene.order(
      {
        sealedPassword: await scene.gateway.keyring.sealTo('notifier', 'not for generation', binding),
        passwordOrigin: 'PARTNER',
      },
      job,
    );
    expect(event).toMatchObject({ subject: 'failed', code: 'P12_PACKAGING_FAILED' });
    expect(await scene.liveCertificates(event.requestId)).toBe(0);
  });

  it('fails with P12_PACKAGING_FAILED when the password was sealed for another request, or for another purpose', async () => {
    const { keyring } = scene.gateway;
    const job = { requestId: uuidv7(), attempt: 1 };
    const other = { purpose: 'certificate-password', owner: uuidv7() } as const;
    const code = { purpose: 'claim-code', owner: job.requestId } as const;
    for (const [attempt, binding] of [other, code].entries()) {
      const sealedPassword = await keyring.sealTo('generation', 'of another request', binding);
      const order = { sealedPassword, passwordOrigin: 'PARTNER' } as const;
      const event = await scene.order(order, { ...job, attempt: attempt + 1 });
      expect(event).toMatchObject({ subject: 'failed', code: 'P12_PACKAGING_FAILED' });
    }
    expect(await scene.liveCertificates(job.requestId)).toBe(0);
  });
});

describe('the sandbox', () => {
  it.each([
    ['2450001207', 1],
    ['2450001306', 2],
    ['2450001405', 3],
  ])('fails the applicant %s %i times and then issues', async (identificationNumber, times) => {
    const requestId = uuidv7();
    const outcomes: string[] = [];
    for (let attempt = 1; attempt <= times + 1; attempt++) {
      const event = await scene.order({ subject: { identificationNumber } }, { requestId, attempt });
      outcomes.push(event.subject === 'failed' ? event.code : event.subject);
    }
    expect(outcomes).toEqual([...Array(times).fill('KEY_GENERATION_FAILED'), 'issued']);
  });

  it('fails the applicant 2450001108 always', async () => {
    const requestId = uuidv7();
    for (let attempt = 1; attempt <= 4; attempt++) {
      const event = await scene.order(
        { subject: { identificationNumber: '2450001108' } },
        { requestId, attempt },
      );
      expect(event).toMatchObject({ subject: 'failed', code: 'KEY_GENERATION_FAILED' });
    }
  });
});

describe('while intake is away', () => {
  it('an attempt waits without counting starts, and is issued when intake is back', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    const starts = async () => {
      const [row] = await scene.env.database.query<{ fence: number; attempts: number }>(
        'select fence, attempts from generation.issuance where request_id = $1',
        [job.requestId],
      );
      return row;
    };
    await scene.withoutIntake(async () => {
      await scene.env.intake.publishJob(job);
      // Taking a lease and giving it back raise the fence each: twice begun, and no start counted.
      const twiceGivenBack = async () => {
        const row = await starts();
        return row !== undefined && row.fence >= 4 && row.attempts === 0;
      };
      await expect.poll(twiceGivenBack).toBe(true);
    });
    expect(await scene.order({}, job)).toMatchObject({ subject: 'issued' });
  });
});
