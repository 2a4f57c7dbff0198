import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRubrica, RubricaError } from '../src/index.ts';
import { applicant, testClient } from './client.ts';
import { errorAnswer, type ScriptedService, scriptedService, tokenLifeSeconds } from './scripted-service.ts';

let service: ScriptedService;

beforeEach(async () => {
  service = await scriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

const named = { referenceTransaction: 'TX-1' };
const ok = { body: { status: 'REGISTERED' } };
const authorizations = () => service.calls.map(({ headers }) => headers.authorization);

describe('a dry run', () => {
  it('sends what would be registered, and asks once more where no answer came', async () => {
    const { rubrica } = testClient(service);
    service.script({ status: 503 }, { body: { valid: true, warnings: [] } });
    const said = await rubrica.simplified.dryRun({ ...named, ...applicant } as never);
    expect(said).toEqual({ valid: true, warnings: [] });
    const sent = service.calls.map(({ method, path }) => `${method} ${path}`);
    expect(sent).toEqual(Array(2).fill('POST /collector/simplified/request/dry-run'));
  });
});

it('says at once what an address must be', () => {
  expect(() => createRubrica({ baseUrl: '', apiToken: 'rbk_a' })).toThrow('baseUrl is no address: ""');
});

describe('a token', () => {
  it('is fetched once for calls at the same time, and kept', async () => {
    const { rubrica } = testClient(service);
    service.script(ok, ok, ok);
    await Promise.all([rubrica.linkedPartner.status(named), rubrica.regular.status(named)]);
    await rubrica.simplified.status(named);
    expect(service.tokenCalls).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(service.tokenCalls[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'partner',
      client_secret: 'secret',
    });
    expect(authorizations()).toEqual(Array(3).fill('Bearer token-1'));
  });

  it('is asked for with an assertion where there is a private key, another one for each try', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const { rubrica } = testClient(service, {
      clientSecret: undefined,
      privateKey: privateKey.export({ format: 'jwk' }),
    } as never);
    service.scriptToken({ status: 503 });
    service.script(ok);
    await rubrica.linkedPartner.status(named);
    const forms = service.tokenCalls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    const assertions = forms.map(({ client_assertion: text = '' }) => text);
    expect(forms).toEqual(
      assertions.map((text) => ({
        grant_type: 'client_credentials',
        client_id: 'partner',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: text,
      })),
    );
    const told = assertions.map((text) =>
      JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()),
    );
    expect(told.map(({ aud }) => aud)).toEqual(Array(2).fill(`${service.url}/oauth/token`));
    expect(new Set(told.map(({ jti }) => jti)).size).toBe(2);
  });

  it('is renewed a minute before it ends', async () => {
    const { rubrica, clock } = testClient(service);
    service.script(ok, ok, ok);
    await rubrica.linkedPartner.status(named);
    clock.now += (tokenLifeSeconds - 61) * 1_000;
    await rubrica.linkedPartner.status(named);
    clock.now += 1_000;
    await rubrica.linkedPartner.status(named);
    expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('that is refused is replaced once, also for a call that may not be repeated', async () => {
    const { rubrica, pauses } = testClient(service);
    service.script(errorAnswer(401, 'UNAUTHENTICATED'), ok);
    await rubrica.linkedPartner.retry(named);
    expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(pauses).toEqual([]);
    service.script(errorAnswer(401, 'UNAUTHENTICATED'), errorAnswer(401, 'UNAUTHENTICATED'));
    await expect(rubrica.linkedPartner.retry(named)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(service.calls).toHaveLength(4);
  });

  it('of an operator is used as it is', async () => {
    const { rubrica } = testClient(service, {
      apiToken: 'rbk_abc',
      clientId: undefined,
      clientSecret: undefined,
    } as never);
    service.script(errorAnswer(401, 'UNAUTHENTICATED'));
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({ status: 401 });
    expect(authorizations()).toEqual(['Bearer rbk_abc']);
    expect(service.tokenCalls).toHaveLength(0);
  });

  it('is not asked for by public calls', async () => {
    const { rubrica } = testClient(service, { language: 'es' });
    service.script({ body: [] });
    expect(await rubrica.reference.provinces()).toEqual([]);
    expect([authorizations(), service.tokenCalls]).toEqual([[undefined], []]);
    expect(service.calls[0]?.headers['accept-language']).toBe('es');
  });

  it('that cannot be had fails the call with the reason, and the next call asks anew', async () => {
    const { rubrica } = testClient(service);
    service.scriptToken(errorAnswer(401, 'UNAUTHENTICATED'));
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    service.script(ok);
    expect(await rubrica.linkedPartner.status(named)).toEqual(ok.body);
  });
});

describe('a token that does not come', () => {
  it('is asked for again as a part of the call, no more often than a call is made', async () => {
    const { rubrica } = testClient(service, { maxAttempts: 3 });
    service.scriptToken(...Array(4).fill(errorAnswer(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' })));
    await expect(rubrica.linkedPartner.retry(named)).rejects.toMatchObject({
      status: 503,
      outcomeUnknown: false,
    });
    expect(service.tokenCalls).toHaveLength(3);
    service.script(ok);
    expect(await rubrica.linkedPartner.retry(named)).toEqual(ok.body);
  });

  it('holds nobody who has stopped waiting, and those who have not get it', async () => {
    const { rubrica } = testClient(service);
    const stop = new AbortController();
    service.scriptToken('hang');
    const stopped = expect(rubrica.regular.status(named, { signal: stop.signal })).rejects.toThrow('enough');
    const other = rubrica.regular.status(named, { timeoutMs: 5_000 });
    while (service.tokenCalls.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await stopped;
    service.script(ok);
    service.answerHanging({ body: { access_token: 'late', expires_in: 60 } });
    expect(await other).toEqual(ok.body);
    expect(service.tokenCalls).toHaveLength(1);
  });
});

describe('a client', () => {
  it('is told at once who it is for', () => {
    const nobody = { clientId: '', clientSecret: undefined } as never;
    expect(() => testClient(service, nobody)).toThrow('clientId and clientSecret');
  });

  it('finds a service below a path', async () => {
    const { rubrica } = testClient(service, { baseUrl: `${service.url}/rubrica/v1` });
    service.script({ body: { access_token: 'token', expires_in: 60 } }, ok);
    await rubrica.regular.status(named);
    expect(service.calls.map(({ path }) => path)).toEqual([
      '/rubrica/v1/oauth/token',
      '/rubrica/v1/gateway/request/status?referenceTransaction=TX-1',
    ]);
  });
});

describe('a body', () => {
  it('carries its files as base64, however they were given', async () => {
    const { rubrica } = testClient(service);
    service.script(ok);
    const bytes = Uint8Array.from({ length: 70_000 }, (_one, index) => index % 251);
    await rubrica.signature.validateIdentity({
      signatureRequestId: 'id',
      identificationFront: bytes,
      identificationBack: new Blob([bytes]),
      identificationSelfie: 'aGVsbG8=',
    });
    const base64 = Buffer.from(bytes).toString('base64');
    expect(JSON.parse(service.calls[0]?.body ?? '')).toEqual({
      signatureRequestId: 'id',
      identificationFront: base64,
      identificationBack: base64,
      identificationSelfie: 'aGVsbG8=',
    });
  });

  it('goes nowhere but to the service: redirects are refused', async () => {
    const { rubrica } = testClient(service);
    service.script({ status: 308, headers: { location: `${service.url}/elsewhere` } });
    await expect(rubrica.simplified.register(applicant)).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: 308,
    });
    expect(service.calls).toHaveLength(1);
  });
});

describe('a call that fails', () => {
  it('tells all that the service said', async () => {
    const { rubrica } = testClient(service);
    service.script(errorAnswer(400, 'FIELD_INVALID'));
    const error = await rubrica.simplified.register(applicant).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(RubricaError);
    expect(error).toMatchObject({
      status: 400,
      code: 'FIELD_INVALID',
      message: 'it is FIELD_INVALID',
      messages: ['it is FIELD_INVALID'],
      errors: [expect.objectContaining({ code: 'FIELD_INVALID' })],
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      outcomeUnknown: false,
    });
  });

  it('for want of an answer ends as TIMEOUT', async () => {
    const { rubrica } = testClient(service, { maxAttempts: 1 });
    service.script('hang');
    await expect(rubrica.linkedPartner.status(named, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      status: undefined,
      outcomeUnknown: true,
    });
  });

  it('because its signal was aborted rejects with its reason and is not repeated', async () => {
    const { rubrica } = testClient(service);
    service.script('hang');
    const stop = new AbortController();
    const called = rubrica.linkedPartner.status(named, { signal: stop.signal });
    const expected = expect(called).rejects.toThrow('enough');
    while (service.calls.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await expected;
    expect(service.calls).toHaveLength(1);
  });

  it('is told from an answer that is not of the service', async () => {
    const { rubrica } = testClient(service, { maxAttempts: 1 });
    service.script({ status: 502, headers: { 'content-type': 'text/html' } }, { status: 200 });
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 502,
    });
    await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });
});
