import { tokenResponseSchema } from '@rubrica/contracts/rest/oauth';
import { termsSchema } from '@rubrica/contracts/shared/terms';
import { makeReference } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  scene.call({
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const terms = (query: Record<string, string>) =>
  scene.call({ path: '/gateway/collector/terms-and-conditions/by-type', query });

describe('the terms', () => {
  it('of the traditional signature are there for everybody', async () => {
    const answer = await terms({ type: 'TRADITIONAL_SIGNATURE' });
    expect(answer.status).toBe(200);
    expect(termsSchema.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({
      active: true,
      type: 'TRADITIONAL_SIGNATURE',
      createdDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/),
    });
  });

  it('of the transactional signature are 412, as there are none', async () => {
    const answer = await terms({ type: 'TRANSACTIONAL_SIGNATURE' });
    expect(answer.status).toBe(412);
    expect(parseErrorAnswer(answer)).toMatchObject({ code: 'NO_ACTIVE_TERMS', error: 'Precondition Failed' });
  });

  it.each([[{}], [{ type: '' }], [{ type: 'traditional_signature' }], [{ type: 'OTHER' }]])(
    'of the type in %j are 400',
    async (query) => {
      const answer = await terms(query as Record<string, string>);
      expect(answer.status).toBe(400);
      expect(parseErrorAnswer(answer).errors[0]?.field).toBe('type');
    },
  );
});

describe('a token', () => {
  it('is given for the client’s credentials, in the header or in the form, and opens the interface', async () => {
    const { clientId, clientSecret } = scene.stack.info().partners.sandbox;
    const grant = { grant_type: 'client_credentials' };
    for (const answer of [
      await form(grant, basic(clientId, clientSecret)),
      await form({ ...grant, client_id: clientId, client_secret: clientSecret }),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toContain('no-store');
      const { access_token: token, expires_in: expiresIn } = tokenResponseSchema.parse(answer.body);
      expect(expiresIn).toBe(1800);
      const query = { referenceTransaction: makeReference() };
      expect((await scene.call({ path: '/middleware/signature-request/status', query, token })).status).toBe(
        404,
      );
    }
  });

  it('of a narrower scope does no more than that', async () => {
    const { clientId, clientSecret } = scene.stack.info().partners.sandbox;
    const answer = await form(
      { grant_type: 'client_credentials', scope: 'status:read' },
      basic(clientId, clientSecret),
    );
    const { access_token: token, scope } = tokenResponseSchema.parse(answer.body);
    expect(scope).toBe('status:read');
    const refused = await scene.call({ path: '/manager/linked-partner/cancel-request', body: {}, token });
    expect(refused.status).toBe(403);
    expect(parseErrorAnswer(refused).code).toBe('FORBIDDEN');
  });

  it.each([
    ['a wrong secret', { grant_type: 'client_credentials' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant', {}, 400, 'invalid_request'],
    ['a scope that does not exist', { grant_type: 'client_credentials', scope: 'all' }, 400, 'invalid_scope'],
  ])(
    'is refused for %s, in the terms of OAuth and of our error object',
    async (what, fields, status, error) => {
      const { clientId, clientSecret } = scene.stack.info().partners.sandbox;
      const secret = what === 'a wrong secret' ? 'wrong' : clientSecret;
      const answer = await form(fields as Record<string, string>, basic(clientId, secret));
      expect(answer.status).toBe(status);
      expect(parseErrorAnswer(answer).error).toBe(error);
      expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    },
  );

  it.each([
    ['is missing', undefined],
    ['is no token', 'abc'],
    ['is signed by nobody', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
    ['looks like an API token', `rbk_${'a'.repeat(43)}`],
  ])('that %s is 401 on every protected address', async (_what, token) => {
    for (const path of [
      '/collector/linked-partner/request',
      '/manager/linked-partner/retry-process-signature',
      '/manager/linked-partner/cancel-request',
      '/manager/linked-partner/resend-validation-link',
    ]) {
      const answer = await scene.call({ path, body: {}, token });
      expect(answer.status).toBe(401);
      expect(parseErrorAnswer(answer).code).toBe('UNAUTHENTICATED');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('can be verified with the published keys', async () => {
    const answer = await scene.call({ path: '/.well-known/jwks.json' });
    expect(answer.status).toBe(200);
    const { keys } = answer.body as { keys: Record<string, unknown>[] };
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.every((key) => key.kty === 'OKP' && !('d' in key))).toBe(true);
  });
});
