import type * as auditContract from '@rubrica/contracts/operators/audit';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { OperatorRouter } from '@rubrica/gateway/routers';
import { disposeAfterAll } from '@rubrica/testkit';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { afterEach, expect, expectTypeOf, test } from 'vitest';
import { createFakeState, operator, partner } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

afterEach(() => {
  gateway.state.operatorRole = createFakeState().operatorRole;
});

function clientOf(url: string) {
  return (accessToken?: string) =>
    createTRPCClient<OperatorRouter>({
      links: [
        httpBatchLink({
          url: `${url}/trpc`,
          headers: accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` },
        }),
      ],
    });
}

function client(accessToken?: string) {
  return clientOf(gateway.url)(accessToken);
}

/** Nobody here has a second factor. */
function opened<Answer extends object>(answer: Answer): Exclude<Answer, { challenge: unknown }> {
  if ('challenge' in answer) throw new Error('a second factor is due');
  return answer as Exclude<Answer, { challenge: unknown }>;
}

async function signedIn(role: 'viewer' | 'reviewer' | 'admin' = 'admin') {
  gateway.state.operatorRole = role;
  const { email, password } = operator;
  const { accessToken } = opened(await client().auth.signIn.mutate({ email, password }));
  return client(accessToken);
}

async function refusal(promise: Promise<unknown>) {
  const error = await promise.then(
    () => expect.unreachable('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof TRPCClientError)) throw error;
  const { data } = error as TRPCClientError<OperatorRouter>;
  return { message: error.message, code: data?.code, appCode: data?.appCode, details: data?.details };
}

test('an operator signs in, is given a token for ten minutes and one that renews it', async () => {
  const { email, password, refreshToken } = operator;
  const answer = await client().auth.signIn.mutate({ email, password });
  const session = {
    accessToken: expect.any(String),
    expiresIn: 600,
    refreshToken,
    role: 'admin',
    scope: 'full',
  };
  expect(answer).toEqual(session);
  expect(await client().auth.refresh.mutate({ refreshToken })).toEqual(session);
  const { appCode } = await refusal(client().auth.refresh.mutate({ refreshToken: 'another' }));
  expect(appCode).toBe('UNAUTHENTICATED');
});

test("a wrong password is refused in the catalogue's words", async () => {
  const { code, appCode, message } = await refusal(
    client().auth.signIn.mutate({ email: operator.email, password: 'x' }),
  );
  expect([code, appCode, message]).toEqual([
    'UNAUTHORIZED',
    'UNAUTHENTICATED',
    'The e-mail or the password is not correct',
  ]);
});

test('calls go on to the service in the name of the operator, in one batch', async () => {
  const admin = await signedIn();
  const [overview, again] = await Promise.all([admin.overview.query(), admin.overview.query({})]);
  expect(overview.registeredLastDay).toBe(7);
  expect(again.generatedLastDay).toBe(5);
  expect(gateway.state.asked.at(-1)).toMatchObject({
    path: 'overview',
    caller: {
      kind: 'operator',
      operatorId: operator.operatorId,
      email: operator.email,
      role: 'admin',
    },
  });
});

test('an audit log is that of the service that is named, and of generation where none is', async () => {
  const viewer = await signedIn('viewer');
  const answeredBy = async (input: { service?: auditContract.AuditService }) =>
    (await viewer.audit.list.query(input)).items[0]?.service;
  for (const service of ['intake', 'generation', 'terms'] as const)
    expect(await answeredBy({ service })).toBe(service);
  expect(await answeredBy({})).toBe('generation');
  const { appCode } = await refusal(viewer.audit.list.query({ service: 'gateway' as 'intake' }));
  expect(appCode).toBe('FIELD_INVALID');
  expect((await refusal(viewer.audit.verify.query({}))).appCode).toBe('FORBIDDEN');
});

test.each(Object.entries<OperatorProcedure>(operatorProcedures))(
  'a field that it does not know is refused and named by %s',
  async (path, { kind }) => {
    const { email, password } = operator;
    const { accessToken } = opened(await client().auth.signIn.mutate({ email, password }));
    const input = JSON.stringify({ noSuchField: 1 });
    const isQuery = kind === 'query';
    const answer = await call(
      `${gateway.url}/trpc/${path}${isQuery ? `?input=${encodeURIComponent(input)}` : ''}`,
      {
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        ...(isQuery ? {} : { body: input }),
      },
    );
    const { error } = answer.json<{ error: { data: { appCode: string; details: unknown[] } } }>();
    expect([answer.status, error.data.appCode]).toEqual([400, 'FIELD_INVALID']);
    expect(error.data.details).toContainEqual(expect.objectContaining({ field: 'noSuchField' }));
  },
);

test('changes that wait are those of all services, page by page, and each is decided where it waits', async () => {
  const admin = await signedIn();
  const whole = await admin.approvals.list.query({});
  expect(whole.unanswered).toEqual([]);
  expect(whole.items.map(({ id }) => id.split('.')[0])).toEqual(
    [1, 2, 3].flatMap(() => ['terms', 'generation', 'intake']),
  );
  for (const limit of [1, 2, 4]) {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await admin.approvals.list.query({ limit, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(whole.items.map(({ id }) => id));
  }
  for (const { id } of whole.items.slice(0, 3))
    expect((await admin.approvals.approve.mutate({ id })).result).toEqual({ service: id.split('.')[0] });
  const { appCode } = await refusal(admin.approvals.get.query({ id: 'gateway.x' }));
  expect(appCode).toBe('FIELD_INVALID');
});

test('a service that does not answer is named, and what waits in the others is shown', async () => {
  await using other = await testGateway();
  const operators = clientOf(other.url);
  const { email, password } = operator;
  const { accessToken } = opened(await operators().auth.signIn.mutate({ email, password }));
  await other.stopTerms();
  const { items, unanswered } = await operators(accessToken).approvals.list.query({});
  expect(unanswered).toEqual(['terms']);
  expect(items).toHaveLength(6);
});

test('secrets that a service made arrive sealed and are opened for the operator', async () => {
  const admin = await signedIn();
  const created = await admin.partners.create.mutate({ name: 'Acme', email: 'it@acme.example' });
  expect(created).toMatchObject({
    clientId: 'Acme',
    clientSecret: 'the client secret',
    webhookSecret: 'whsec_abc',
  });
});

test('a code is asked for where one is due, and crosses the bus sealed', async () => {
  await using other = await testGateway();
  other.state.codeIsDue = true;
  const { email, password } = operator;
  const { auth } = clientOf(other.url)();
  expect(await auth.signIn.mutate({ email, password })).toEqual({ challenge: 'code' });
  expect((await refusal(auth.signIn.mutate({ email, password, code: '000000' }))).appCode).toBe(
    'UNAUTHENTICATED',
  );
  expect(await auth.signIn.mutate({ email, password, code: '123456' })).toHaveProperty('accessToken');
});

test('a passkey signs what intake asks, and opens a session', async () => {
  const { auth } = client();
  expect(await auth.passkeyOptions.mutate({})).toEqual({
    options: { challenge: 'asked', rpId: 'localhost', timeout: 300_000, userVerification: 'required' },
  });
  const parts = { clientDataJSON: 'a', authenticatorData: 'b', signature: 'c' };
  const shown = (id: string) =>
    auth.passkeySignIn.mutate({ response: { id, rawId: id, type: 'public-key', response: parts } });
  expect((await refusal(shown('another'))).appCode).toBe('UNAUTHENTICATED');
  expect(await shown(operator.passkeyId)).toHaveProperty('accessToken');
});

test('a new password is screened, and crosses the bus sealed', async () => {
  const admin = await signedIn();
  const change = (newPassword: string) =>
    admin.auth.changePassword.mutate({ currentPassword: operator.password, newPassword });
  const { appCode, message } = await refusal(change('password1234'));
  expect([appCode, message]).toEqual(['FIELD_INVALID', expect.stringContaining('too easy to guess')]);
  expect(await change('a quiet river at dawn')).toEqual({ ended: 0 });
  const { input } = gateway.state.asked.at(-1) as { input: Record<string, string> };
  const keyring = gateway.keyrings.intake;
  const binding = { purpose: 'account-password', owner: operator.operatorId } as const;
  expect(await keyring.openText(input.newPassword ?? '', binding)).toBe('a quiet river at dawn');
  expect(JSON.stringify(input)).not.toContain(operator.password);
});

test('without a token, and with a token of a partner, no operator is signed in', async () => {
  expect(await refusal(client().overview.query())).toMatchObject({
    code: 'UNAUTHORIZED',
    appCode: 'UNAUTHENTICATED',
  });
  expect(await refusal(client(await gateway.token()).overview.query())).toMatchObject({
    appCode: 'UNAUTHENTICATED',
  });
  expect(await refusal(client(partner.apiToken).overview.query())).toMatchObject({
    appCode: 'UNAUTHENTICATED',
  });
});

test("an operator's token is no partner's token", async () => {
  const { email, password } = operator;
  const { accessToken } = opened(await client().auth.signIn.mutate({ email, password }));
  const answer = await call(`${gateway.url}/middleware/signature-request/status?referenceTransaction=a`, {
    token: accessToken,
  });
  expect(answer.status).toBe(401);
});

test('a role that is too low is told which one is needed', async () => {
  const viewer = await signedIn('viewer');
  await viewer.overview.query();
  const refused = await refusal(viewer.partners.create.mutate({ name: 'a', email: 'a@b.ec' }));
  expect(refused).toMatchObject({ code: 'FORBIDDEN', appCode: 'FORBIDDEN' });
  expect(refused.message).toContain('admin');
});

test('faulty input is refused field by field before any call', async () => {
  const admin = await signedIn();
  const refused = await refusal(admin.partners.create.mutate({ name: '', email: 'x' }));
  expect(refused).toMatchObject({ code: 'BAD_REQUEST', appCode: 'FIELD_INVALID' });
  expect(refused.details?.map(({ field }) => field)).toEqual(['name', 'email']);
});

test('a service that is not there is SERVICE_UNAVAILABLE', async () => {
  const admin = await signedIn();
  await gateway.stopNotifier();
  expect(await refusal(admin.deliveries.search.query({}))).toMatchObject({ appCode: 'SERVICE_UNAVAILABLE' });
});

test('what tRPC cannot make sense of is answered in its form, with our code', async () => {
  const error = async (path: string, options = {}) => {
    const answer = await call(`${gateway.url}/trpc/${path}`, options);
    const body = answer.json<{ error: { data: { appCode: string } } }>();
    return [answer.status, body.error.data.appCode];
  };
  expect(await error('no.such')).toEqual([404, 'ROUTE_NOT_FOUND']);
  expect(await error('auth.signIn', { body: '{', headers: { 'content-type': 'application/json' } })).toEqual([
    400,
    'BODY_MALFORMED',
  ]);
  expect(await error('auth.signIn', { body: '<a/>', headers: { 'content-type': 'text/xml' } })).toEqual([
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ]);
  const big = { body: { email: 'a@b.ec', password: 'x'.repeat(1_100_000) } };
  expect(await error('auth.signIn', big)).toEqual([413, 'BODY_TOO_LARGE']);
});

test('sign-ins of one address are limited, those inside one batch too', async () => {
  await using limited = await testGateway({ RATE_LIMIT_TOKEN: '2' });
  const trpc = createTRPCClient<OperatorRouter>({ links: [httpBatchLink({ url: `${limited.url}/trpc` })] });
  const attempts = Array.from({ length: 3 }, () =>
    trpc.auth.signIn.mutate({ email: operator.email, password: 'x' }),
  );
  const codes = await Promise.all(attempts.map(async (attempt) => (await refusal(attempt)).appCode));
  expect(codes.sort()).toEqual(['RATE_LIMITED', 'UNAUTHENTICATED', 'UNAUTHENTICATED']);
});

test('intake is told what a sign-in comes from, and its refusal says in the header when to come again', async () => {
  await using proxied = await testGateway({ TRUST_PROXY: '127.0.0.1' });
  const signIn = (address: string, password: string) =>
    call(`${proxied.url}/trpc/auth.signIn`, {
      body: { email: operator.email, password },
      headers: { 'x-forwarded-for': address },
    });
  proxied.state.slowedAddresses.add('2001:db8:0:1::/64');
  const slowed = await signIn('2001:db8:0:1::7', operator.password);
  expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '30']);
  expect((await signIn('2001:db8:0:1:ffff::9', operator.password)).status).toBe(429);
  expect((await signIn('2001:db8:0:2::7', operator.password)).status).toBe(200);
  expect((await signIn('198.51.100.7', 'x')).status).toBe(401);
});

test("a dashboard's client is typed from the contracts' table", () => {
  const typed = client();
  expectTypeOf(typed.overview.query).returns.resolves.toHaveProperty('registeredLastDay');
  expectTypeOf(typed.requests.search.query).parameter(0).toHaveProperty('status');
  type Issued = Awaited<ReturnType<typeof typed.partners.issueToken.mutate>>;
  expectTypeOf<Extract<Issued, { token: unknown }>['token']>().toEqualTypeOf<string>();
  expectTypeOf<Extract<Issued, { approvalId: unknown }>['reviewPolicy']>().toHaveProperty('length');
  expectTypeOf(typed.auth.signIn.mutate)
    .returns.resolves.exclude<{ challenge: unknown }>()
    .toHaveProperty('role')
    .toEqualTypeOf<'viewer' | 'reviewer' | 'admin'>();
  expectTypeOf(typed.requests.search).not.toHaveProperty('mutate');
  expectTypeOf(typed.terms.activate).not.toHaveProperty('query');
  // @ts-expect-error a procedure that the table does not have
  expectTypeOf(typed.requests.nothing).toBeAny();
});
