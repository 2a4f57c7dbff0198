import { disposeAfterAll, makeTransactionalRequest } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { linkedPartnerBody } from './support/bodies.ts';
import { createFakeClaim } from './support/fake-claims.ts';
import { signatureId } from './support/fake-signature.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());
const token = await gateway.token();

beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, fresh);
});

/** Every operation of partners that takes a password for a file. */
const ways: Readonly<Record<string, (password: string) => object>> = {
  '/collector/linked-partner/request': (password) => linkedPartnerBody({ password }),
  '/manager/linked-partner/retry-process-signature': (password) => ({
    referenceTransaction: 'TX-1',
    password,
  }),
  '/collector/transactional/request': (password) => makeTransactionalRequest({ password }),
  '/signature/api/request': (password) => ({
    ...linkedPartnerBody({ password }),
    termsAndConditionsId: '0197a000-0000-7000-8000-0000000000cc',
  }),
  '/signature/api/issuance': (password) => ({ signatureRequestId: signatureId, password }),
};

const refused = {
  'the letter ñ': 'una piñata roja',
  'an accent': 'Galápagos 2026',
  'an accent as a character of its own': 'Gala\u0301pagos 2026',
  'a sign beyond ASCII': 'cien euros: €',
  'a blank that does not break': 'dos\u00a0palabras',
  'a smiling face': 'secreto 😀',
  DEL: 'secreto\u007f1',
  'a line end': 'secreto1\n',
};

test.each(
  Object.entries(ways).flatMap(([path, body]) =>
    Object.entries(refused).map(([what, password]) => ({ path, body, what, password })),
  ),
)('$path refuses a password with $what', async ({ path, body, password }) => {
  const answer = await call(`${gateway.url}${path}`, { token, body: body(password) });
  expect(answer.status).toBe(400);
  const { errors } = answer.error();
  expect(errors.map(({ code, field }) => [code, field])).toEqual([['FIELD_INVALID', 'password']]);
  const reason = /signing programs open no file|must not contain control characters/;
  expect(errors[0]?.message).toMatch(reason);
  expect(errors[0]?.message).not.toContain(password);
});

test.each(Object.entries(ways))('%s takes every printable character of ASCII', async (path, body) => {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('');
  for (const password of [printable.slice(0, 48), printable.slice(48), ' '.repeat(8)]) {
    const answer = await call(`${gateway.url}${path}`, { token, body: body(password) });
    expect(answer.status).toBe(200);
  }
});

test.each([
  ['es', 'sin tildes, sin ñ y sin otros signos especiales: muchos programas de firma no abren'],
  ['en', 'without accents, ñ and other special characters: many signing programs do not open'],
])('the claim page refuses it too and says why (%s)', async (language, reason) => {
  const link = `${gateway.url}/claim/${gateway.state.claim.token}?lang=${language}`;
  const form = { code: '048213', acceptTerms: 'true', termsId: '0197a000-0000-7000-8000-0000000000cc' };
  for (const password of Object.values(refused)) {
    const answer = await fetch(link, {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ ...form, password, passwordConfirmation: password }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(reason);
  }
  expect(gateway.state.claim.claimed).toEqual([]);
});
