import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import {
  asOperator,
  asPartner,
  byTwo,
  makeRegistration,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());

async function list(filter: object) {
  const { items } = await intake
    .operators(asOperator('viewer'))
    .audit.list.query({ service: 'intake', ...filter });
  return items;
}

async function signIn(email: string, password: string) {
  const gateway = await intake.ground.peer('gateway');
  const sealedPassword = await gateway.keyring.sealTo('intake', password, {
    purpose: 'operator-password',
    owner: email.toLowerCase(),
  });
  return intake
    .client({ kind: 'service', name: 'gateway' })
    .tokens.signIn.mutate({ email, sealedPassword, address: '198.51.100.7' })
    .catch(() => undefined);
}

it('writes down the first partners and operators, who they are and that provisioning made them', async () => {
  const made = await list({ actor: 'service:intake-provision' });
  expect(made.map(({ action }) => action)).toEqual([
    ...Array.from({ length: 2 }, () => 'operators.create'),
    ...Array.from({ length: 3 }, () => 'partners.create'),
  ]);
  expect(made[1]?.details).toEqual({ email: 'admin@example.com', role: 'admin' });
});

it('writes down sign-ins and refused ones, and never what was typed for an address that is nobody’s', async () => {
  await signIn('admin@example.com', 'correct horse battery');
  await signIn('admin@example.com', 'wrong');
  await signIn('hunter2@example.com', 'wrong');
  const rows = await list({ actor: 'operator:admin@example.com' });
  expect(rows.map(({ action }) => action)).toEqual(['auth.signInRefused', 'auth.signIn']);
  expect(JSON.stringify(await list({ limit: 100 }))).not.toMatch(/hunter2|wrong|correct horse/);
});

it('writes down that a request was approved, and what an operator changed and why', async () => {
  const registration = makeRegistration();
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  const { requestId } = registration;
  await expect
    .poll(() => list({ requestId }).then((rows) => rows.map(({ action }) => action)))
    .toEqual(['requests.approve']);
  const [approved] = await list({ requestId });
  expect(approved).toMatchObject({ actor: 'service:intake', target: `request:${requestId}`, requestId });
  expect(approved?.details).toMatchObject({ validationAttempt: 1 });
  const [partner] = (await intake.operators(asOperator('viewer')).partners.list.query({})).items;
  await intake
    .operators(asOperator('admin'))
    .partners.update.mutate({ id: partner?.id ?? '', name: 'New name', reason: 'renamed' });
  const [update] = await list({ action: 'partners.update' });
  expect(update).toMatchObject({
    reason: 'renamed',
    target: `partner:${partner?.id}`,
    requestId: null,
    details: { name: 'New name' },
  });
});

it('writes down every change of a partner with its reason, and no secret that it made', async () => {
  const [admin, second] = ['operator:admin@example.com', `operator:${secondAdministrator.email}`];
  const { partners } = intake.operators(asOperator('admin'));
  const { id } = await byTwo(intake, (by) =>
    by.partners.create.mutate({ name: 'Acme', email: 'it@acme.example', reason: 'one' }),
  );
  await byTwo(intake, (by) => by.partners.rotateSecret.mutate({ id, kind: 'client', reason: 'two' }));
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
  const { tokenId, token } = await byTwo(intake, (by) =>
    by.partners.issueToken.mutate({ id, name: 'batch', expiresAt, reason: 'three' }),
  );
  await partners.revokeToken.mutate({ tokenId, reason: 'four' });
  const rows = (await list({ limit: 100 })).filter(
    ({ target }) => target === `partner:${id}` || target === `token:${tokenId}`,
  );
  expect(rows.map(({ actor, action, reason }) => [actor, action, reason])).toEqual([
    [admin, 'partners.revokeToken', 'four'],
    [second, 'partners.issueToken', 'three'],
    [second, 'partners.rotateSecret', 'two'],
    [second, 'partners.create', 'one'],
  ]);
  const gateway = await intake.ground.peer('gateway');
  const { operatorId: owner } = secondAdministrator;
  const shown = await gateway.keyring.openText(token, { purpose: 'api-token', owner });
  expect(JSON.stringify(rows)).not.toContain(shown);
});

it('chains all of it, and first that the chain was begun', async () => {
  const verify = () => intake.operators(asOperator('admin')).audit.verify.query({ service: 'intake' });
  await expect.poll(async () => (await verify()).unchained).toBe(0);
  expect(await list({ action: 'audit.start' })).toMatchObject([
    { actor: 'service:intake', target: 'audit:intake.audit', sequence: 1 },
  ]);
  expect((await verify()).findings).toEqual([]);
  expect(await verify()).toMatchObject({ service: 'intake', intact: true, findings: [], nextCursor: null });
});
