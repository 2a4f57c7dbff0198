import { createText } from '@rubrica/contracts/error-texts/create-text';
import { renderText } from '@rubrica/contracts/error-texts/render-text';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { disposeAfterAll, recogniseText } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { statusRecord } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { type Answer, call } from './support/http.ts';

import { largestBody, type Refusal, refusalsOf } from './support/refusals.ts';

const all = Object.entries(operations) as [OperationId, Operation][];
const limits = all.flatMap(([id, { body }]) => (body === undefined ? [] : `${id}=${largestBody}`));
const tokens = new Map<Scope | undefined, string>();
const gateway = await disposeAfterAll(testGateway({ BODY_LIMITS_BYTES: limits.join(',') }));
gateway.state.scopes = ['collector:write', 'manager:write', 'status:read', 'certificates:revoke'];
for (const scope of [undefined, 'collector:write', 'status:read'] as const)
  tokens.set(scope, await gateway.token(scope));

const callers = { tokenOf: (scope?: Scope) => tokens.get(scope) ?? '' };

function send({ path, ...rest }: Refusal, language: string): Promise<Answer> {
  const headers = { ...rest.headers, 'accept-language': language };
  return call(gateway.url + path, { ...rest, headers });
}

/** What a person reads of an error object. */
function textsOf(answer: Answer): string[] {
  const { message, messages, errors } = answer.error();
  return [message, ...messages, ...errors.map((one) => one.message)];
}

/** Both languages of one refusal, which say the same. */
async function compare(refusal: Refusal): Promise<void> {
  const [english, spanish] = [await send(refusal, 'en'), await send(refusal, 'es-EC,es;q=0.9,en;q=0.1')];
  expect([refusal.shows, spanish.status]).toEqual([refusal.shows, english.status]);
  expect(english.headers.get('content-language')).toBe('en');
  expect(spanish.headers.get('content-language')).toBe('es');
  const said = textsOf(english);
  const recognised = said.map((text) => recogniseText(text, 'en'));
  expect(said.filter((_, index) => recognised[index] === undefined)).toEqual([]);
  expect(textsOf(spanish).map((text) => recogniseText(text, 'es'))).toEqual(recognised);
}

test.each(all)('all refusals of %s are in the language that is asked for', async (_id, operation) => {
  const refusals = refusalsOf(operation, callers);
  const refused = await Promise.all(refusals.map(async (one) => ({ one, answer: await send(one, 'en') })));
  for (const { one, answer } of refused) if (answer.status !== 200) await compare(one);
  const kinds = new Set(refused.map(({ answer }) => answer.status));
  expect(kinds).toContain(405);
  if (operation.access !== 'public') expect([...kinds]).toEqual(expect.arrayContaining([401, 403]));
  // What is wrong with a line of a batch stands in its answer, which is a 200.
  const ofBody = operation.mediaType === 'application/x-ndjson' ? [415] : [400, 413, 415];
  if (operation.body !== undefined) expect([...kinds]).toEqual(expect.arrayContaining(ofBody));
});

test('an unknown address and a service that does not answer are told in both languages', async () => {
  await compare({ shows: 'an unknown address', path: '/nowhere', method: 'GET', headers: {} });
  await using other = await testGateway();
  const token = await other.token();
  await other.stopIntake();
  const path = `${other.url}${operations.linkedPartnerStatus.path}?referenceTransaction=TX-1`;
  const answer = await call(path, { token, headers: { 'accept-language': 'es' } });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-language')).toBe('es');
  expect(answer.error().message).toBe('El servicio no está disponible temporalmente; intente de nuevo');
});

test('a rate limit is told in both languages', async () => {
  await using other = await testGateway({ RATE_LIMIT_ADDRESS: '1' });
  const ask = (language: string) =>
    call(`${other.url}/gateway/reference/provinces`, { headers: { 'accept-language': language } });
  await ask('en');
  expect([(await ask('es')).error().message, (await ask('en')).error().message]).toEqual([
    'Demasiadas peticiones; intente más tarde',
    'Too many requests; try again later',
  ]);
});

test('the token endpoint describes its errors in both languages, in ASCII', async () => {
  const refused = (language: string) =>
    call(`${gateway.url}/oauth/token`, {
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }),
      headers: { 'accept-language': language },
    });
  expect((await refused('en')).json()).toMatchObject({
    error: 'invalid_client',
    error_description: 'The client is unknown or its secret is wrong',
  });
  expect((await refused('es')).json()).toMatchObject({
    error: 'invalid_client',
    error_description: 'El cliente no se conoce o su secreto no es correcto',
  });
  const without = await call(`${gateway.url}/oauth/token`, {
    body: new URLSearchParams({ grant_type: 'x' }),
    headers: { 'accept-language': 'es', authorization: 'Bearer x' },
  });
  expect(without.json<{ error_description: string }>().error_description).toMatch(
    /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/,
  );
});

test('observations of a record are in the language that is asked for, under an ETag of their own', async () => {
  const createdDate = '2026-11-20T10:00:00.000Z';
  const text = createText('request.rucCheckDigit', { given: '1790011674001' });
  const message =
    'The check digit of companyRuc "1790011674001" does not match; newly issued numbers may not have one';
  gateway.state.status = statusRecord({
    observation: {
      type: 'ALERT',
      code: 'NAME_MISMATCH',
      message: 'The names do not match the registry',
      createdDate,
    },
    observations: [{ type: 'WARNING', code: 'RUC_CHECK_DIGIT', message, text, createdDate }],
  });
  const ask = (language: string) =>
    call(`${gateway.url}${operations.linkedPartnerStatus.path}?referenceTransaction=TX-1`, {
      token: callers.tokenOf(),
      headers: { 'accept-language': language },
    });
  const [english, spanish] = [await ask('en'), await ask('es')];
  expect(english.json()).toMatchObject({ observations: [{ message }] });
  expect(spanish.json()).toMatchObject({
    observation: { code: 'NAME_MISMATCH', message: 'Los nombres no coinciden con el registro' },
    observations: [{ code: 'RUC_CHECK_DIGIT', message: renderText(text, 'es') }],
  });
  expect([english, spanish].map(({ headers }) => headers.get('content-language'))).toEqual(['en', 'es']);
  expect(spanish.headers.get('etag')).not.toBe(english.headers.get('etag'));
  expect(spanish.headers.get('vary')).toContain('Accept-Language');
});

test('a registration that is taken with errors tells them in the language that is asked for', async () => {
  const registered = await call(`${gateway.url}${operations.registerLinkedPartner.path}`, {
    token: callers.tokenOf(),
    headers: { 'accept-language': 'es' },
    body: linkedPartnerBody({ evidences: [{ evidenceFile: '%%%' }] }),
  });
  const said = 'evidences[0].evidenceFile no se puede decodificar; envíe base64 o una lista de bytes';
  expect(registered.json()).toMatchObject({ status: 'ERROR', message: said, errors: [{ message: said }] });
  expect([registered.status, registered.headers.get('content-language')]).toEqual([200, 'es']);
});
