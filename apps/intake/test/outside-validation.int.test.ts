import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { asProduction, disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { json, type OutsideServer, startOutsideServer, status } from './support/outside-server.ts';
import { makeTransactional } from './support/plain-families.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';

const civil = await disposeAfterAll(startOutsideServer());
const tax = await disposeAfterAll(startOutsideServer());
const intake = await disposeAfterAll(
  runningIntake({
    ...asProduction,
    CONSOLE_URL: 'https://console.example.org',
    REGISTRY_URL: civil.url,
    REGISTRY_TOKEN: 'civil-token',
    TAX_REGISTRY_URL: tax.url,
    TAX_REGISTRY_TOKEN: 'tax-token',
    LIVENESS_URL: 'http://127.0.0.1:9',
    LIVENESS_TOKEN: 'liveness-token',
  }),
);

const matching = json({
  birthDate: '1990-01-01',
  deceased: false,
  fingerCodeMatches: true,
  namesMatch: true,
});
function requests() {
  return intake.client(asPartner('sandbox')).requests;
}

function own(requestId: string) {
  return { family: 'TV' as const, requestId };
}

function until(requestId: string, wanted: string) {
  return pollFor(async () => {
    const record = await requests().status.query(own(requestId));
    return record.status === wanted && record;
  });
}

async function register(fields: Record<string, string> = {}) {
  return (await requests().register.mutate(makeRegistration(fields))).requestId;
}

function keysOf({ calls }: OutsideServer, requestId: string) {
  return calls.map(({ headers }) => headers['idempotency-key']).filter((key) => key?.includes(requestId));
}

describe('a validation outside the sandbox', () => {
  it('asks both registries, each with its own token and one key, and believes them', async () => {
    civil.usual = matching;
    tax.usual = json({ active: true, representedByApplicant: true });
    const requestId = await register({
      applicationType: 'LEGAL_REPRESENTATIVE',
      companyRuc: '1793213150001',
      positionCompany: 'Gerente',
      companySocialReason: 'Compañía de Pruebas S.A.',
      expirationDateAppointment: new Date(Date.now() + 1_000 * DAY_MS).toISOString().slice(0, 10),
    });
    await until(requestId, 'GENERATING');
    expect(keysOf(civil, requestId)).toEqual([`${requestId}:1`]);
    expect(keysOf(tax, requestId)).toEqual([`${requestId}:1`]);
    expect(civil.calls.at(-1)?.headers.authorization).toBe('Bearer civil-token');
    expect(tax.calls.at(-1)?.headers.authorization).toBe('Bearer tax-token');
  });

  it('is over with an error to be retried when a registry is down, after one look-up of three quick tries', async () => {
    civil.usual = status(503);
    const requestId = await register();
    const record = await until(requestId, 'ERROR');
    expect(record).toMatchObject({
      observation: { code: 'EXTERNAL_SERVICE_UNAVAILABLE' },
      retriesRemaining: 2,
    });
    expect(keysOf(civil, requestId)).toEqual(Array(3).fill(`${requestId}:1`));
    civil.usual = matching;
    await requests().retry.mutate({ ...own(requestId), corrections: {}, faults: [] });
    await until(requestId, 'GENERATING');
    expect(keysOf(civil, requestId).at(-1)).toBe(`${requestId}:2`);
  });

  it('says of a transactional request which registry was down, though the code is the same', async () => {
    const failedAt = async () => {
      const { requestId } = await requests().register.mutate(
        makeTransactional({ companyRuc: '1793213150001' }),
      );
      const ask = () => requests().validationResults.query({ family: 'FT', requestId });
      await pollFor(async () => (await ask()).status === 'ERROR');
      return (await ask()).results.find(({ result }) => result === 'FAILED');
    };
    const code = 'EXTERNAL_SERVICE_UNAVAILABLE';
    civil.usual = matching;
    tax.usual = status(503);
    expect(await failedAt()).toEqual({ check: 'COMPANY', result: 'FAILED', code });
    civil.usual = status(503);
    expect(await failedAt()).toEqual({ check: 'IDENTITY', result: 'FAILED', code });
  });

  it('tells nobody that he does not exist because an address is wrong', async () => {
    civil.usual = status(404);
    const wrong = await until(await register(), 'ERROR');
    expect(wrong).toMatchObject({ observation: { code: 'EXTERNAL_SERVICE_UNAVAILABLE' } });
    civil.usual = json({ code: 'NOT_FOUND' }, 404);
    const unknown = await until(await register(), 'ERROR');
    expect(unknown).toMatchObject({ observation: { code: 'IDENTIFICATION_NOT_FOUND' } });
  });
});
