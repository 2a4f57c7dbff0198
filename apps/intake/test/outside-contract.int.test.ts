import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { describe, expect, it } from 'vitest';
import { createHttpLiveness } from '../src/outside/liveness/http/http-liveness.ts';
import { createOutsideMetrics } from '../src/outside/outside-metrics.ts';
import { createOutsideSystem } from '../src/outside/outside-system.ts';
import { createHttpRegistries } from '../src/outside/registry/http/http-registries.ts';
import type { Person } from '../src/outside/registry/registry.ts';
import { json, startOutsideServer, status } from './support/outside-server.ts';

/** All three systems at one address. */
async function setUp() {
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await startOutsideServer());
  const system = createOutsideSystem({
    name: 'civil-registry',
    baseUrl: `${server.url}/`,
    token: 'token',
    timeoutMs: 5_000,
    budgetMs: 5_000,
    connections: 4,
    logger: createLogger({ service: 'intake', level: 'silent', format: 'json' }),
    metrics: createOutsideMetrics(createMetrics({ service: 'intake' })),
  });
  owned.defer(() => system.close());
  const held = owned.move();
  return {
    server,
    registries: createHttpRegistries({
      civil: system,
      tax: system,
      clock: () => new Date('2026-11-21T12:00:00Z'),
      timeZone: 'America/Guayaquil',
    }),
    liveness: createHttpLiveness({ provider: system }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const question = {
  requestId: '01900000-0000-7000-8000-000000000001',
  attempt: 3,
  identificationNumber: '1710034065',
  signal: new AbortController().signal,
};
const unavailable = { outcome: 'unavailable' };

describe('the civil registry', () => {
  const makePerson = (overrides: Partial<Record<keyof Person, unknown>> = {}) => ({
    birthDate: '1990-01-01',
    deceased: false,
    fingerCodeMatches: true,
    namesMatch: true,
    names: null,
    needsReview: false,
    ...overrides,
  });
  const query = {
    ...question,
    fingerCode: 'V4333V2222',
    names: { given: 'María José', surname: 'Ñúñez', secondSurname: null },
  };

  it('is asked what the applicant claims, and its answer is taken without what was not agreed', async () => {
    await using my = await setUp();
    my.server.usual = json({ ...makePerson(), mother: 'Pazmiño' });
    expect(await my.registries.lookUpPerson(query)).toEqual({ outcome: 'found', person: makePerson() });
    expect(my.server.calls).toMatchObject([
      { path: '/persons/lookup', headers: { 'idempotency-key': `${question.requestId}:3` } },
    ]);
    expect(my.server.calls[0]?.body).toEqual({
      identificationNumber: '1710034065',
      fingerCode: 'V4333V2222',
      names: { given: 'María José', surname: 'Ñúñez', secondSurname: null },
    });
  });

  it('is sent null for what was not claimed, and may leave review out', async () => {
    await using my = await setUp();
    const { needsReview: _, ...person } = makePerson();
    const names = { given: 'María José', surname: 'Ñúñez', secondSurname: null };
    my.server.usual = json({ ...person, names });
    expect(await my.registries.lookUpPerson({ ...query, fingerCode: null, names: null })).toMatchObject({
      person: { needsReview: false, names },
    });
    expect(my.server.calls[0]?.body).toMatchObject({ fingerCode: null, names: null });
  });

  it('has not answered where it was asked for names and gives none', async () => {
    await using my = await setUp();
    my.server.usual = json(makePerson());
    expect(await my.registries.lookUpPerson({ ...query, names: null })).toEqual({ outcome: 'unavailable' });
  });

  it.each(['9999-12-31', '0001-01-01', '2026-11-22', '1990-02-30', '1990-01-01T00:00:00Z', '', null])(
    'makes nobody underage, nor anything else, by the birth date %j',
    async (birthDate) => {
      await using my = await setUp();
      my.server.usual = json(makePerson({ birthDate }));
      expect(await my.registries.lookUpPerson(query)).toEqual(unavailable);
    },
  );

  it.each(['deceased', 'fingerCodeMatches', 'namesMatch'] as const)(
    'must say whether %s, in so many words',
    async (name) => {
      await using my = await setUp();
      for (const value of [undefined, null, 'false', 0]) {
        my.server.usual = json(makePerson({ [name]: value }));
        expect(await my.registries.lookUpPerson(query)).toEqual(unavailable);
      }
    },
  );

  it('may know nobody of that number', async () => {
    await using my = await setUp();
    my.server.usual = json({ code: 'NOT_FOUND' }, 404);
    expect(await my.registries.lookUpPerson(query)).toEqual({ outcome: 'not-found' });
  });
});

describe('the tax registry', () => {
  const query = { ...question, ruc: '1793213150001' };

  it('is asked for company and applicant', async () => {
    await using my = await setUp();
    my.server.usual = json({ active: true, representedByApplicant: false });
    expect(await my.registries.lookUpCompany(query)).toEqual({
      outcome: 'found',
      active: true,
      representedByApplicant: false,
    });
    expect(my.server.calls).toMatchObject([{ path: '/companies/lookup' }]);
    expect(my.server.calls[0]?.body).toEqual({ ruc: '1793213150001', identificationNumber: '1710034065' });
  });

  it('may know no such company, or answer what was not agreed', async () => {
    await using my = await setUp();
    my.server.faults.push(json({ code: 'NOT_FOUND' }, 404), json({ active: true }));
    expect(await my.registries.lookUpCompany(query)).toEqual({ outcome: 'not-found' });
    expect(await my.registries.lookUpCompany(query)).toEqual(unavailable);
  });
});

describe('liveness', () => {
  const order = { ...question, selfie: { mediaType: 'image/png', content: Buffer.from('selfie') } } as const;
  const session = {
    sessionId: 'S-1',
    livenessUrl: 'https://liveness.example.org/s/S-1?lang=es',
    expiresAt: '2026-11-21T07:15:00-05:00',
  };
  const asked = { ...question, sessionId: 'S-1' };
  const found = (result: unknown) => ({ outcome: 'found', result });

  it('opens a session with the selfie to compare with, once for each attempt', async () => {
    await using my = await setUp();
    my.server.faults.push(status(502), json(session, 201));
    expect(await my.liveness.createSession(order)).toEqual({
      outcome: 'created',
      session: { ...session, expiresAt: new Date('2026-11-21T12:15:00Z') },
    });
    const keys = my.server.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([`${question.requestId}:3`, `${question.requestId}:3`]);
    expect(my.server.calls[1]?.body).toEqual({
      identificationNumber: '1710034065',
      attempt: 3,
      selfie: { mediaType: 'image/png', content: Buffer.from('selfie').toString('base64') },
    });
  });

  it.each([
    { ...session, livenessUrl: 'javascript:alert(1)' },
    { ...session, livenessUrl: 'http://liveness.example.org/' },
    { ...session, sessionId: '../../persons' },
    { ...session, expiresAt: '2026-11-21T12:15:00' },
  ])('sends no applicant to a session like %j', async (body) => {
    await using my = await setUp();
    my.server.usual = json(body);
    expect(await my.liveness.createSession(order)).toEqual(unavailable);
  });

  it('has no session where the provider knows no such address', async () => {
    await using my = await setUp();
    my.server.usual = json({ code: 'NOT_FOUND' }, 404);
    expect(await my.liveness.createSession(order)).toEqual(unavailable);
    expect(await my.liveness.getResult(asked)).toEqual({ outcome: 'not-found' });
  });

  it('tells how a session stands', async () => {
    await using my = await setUp();
    my.server.faults.push(
      json({ status: 'IN_PROGRESS' }),
      json({ status: 'SUCCEEDED', livenessConfidence: 99.5, faceMatchConfidence: 97, failureReasons: [] }),
    );
    const unknown = { livenessConfidence: null, faceMatchConfidence: null, failureReasons: [] };
    expect(await my.liveness.getResult(asked)).toEqual(found({ status: 'IN_PROGRESS', ...unknown }));
    expect(await my.liveness.getResult(asked)).toMatchObject(
      found({ status: 'SUCCEEDED', livenessConfidence: 99.5, faceMatchConfidence: 97 }),
    );
    expect(my.server.calls).toMatchObject([
      { method: 'GET', path: '/sessions/S-1', body: undefined },
      { method: 'GET', path: '/sessions/S-1', body: undefined },
    ]);
  });

  it.each([
    [{ status: 'FAILED', failureReasons: ['SELFIE_MISMATCH'] }, ['SELFIE_MISMATCH']],
    [{ status: 'FAILED', failureReasons: ['MASK', 'GLARE'] }, ['LIVENESS_FAILED']],
    [{ status: 'FAILED' }, ['LIVENESS_FAILED']],
    [{ status: 'EXPIRED' }, ['LIVENESS_SESSION_EXPIRED']],
    [{ status: 'SUCCEEDED', failureReasons: ['SELFIE_MISMATCH'] }, undefined],
    [{ status: 'SUCCEEDED', livenessConfidence: 101 }, undefined],
    [{ status: 'DONE' }, undefined],
  ])('reads %j by codes of the catalogue, and never as better than it is', async (body, reasons) => {
    await using my = await setUp();
    my.server.usual = json(body);
    const answer = await my.liveness.getResult(asked);
    if (reasons) expect(answer).toMatchObject(found({ status: body.status, failureReasons: reasons }));
    else expect(answer).toEqual(unavailable);
  });

  it('escapes whatever is given out as the id of a session', async () => {
    await using my = await setUp();
    await my.liveness.getResult({ ...asked, sessionId: '../admin?x=1' });
    expect(my.server.calls).toMatchObject([{ path: '/sessions/..%2Fadmin%3Fx%3D1' }]);
  });
});
