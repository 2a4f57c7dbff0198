import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { linkedPartnerBody, png } from './support/bodies.ts';
import { operator, partner } from './support/fake-state.ts';
import { signAsIntake } from './support/fake-tokens.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

const { partnerId, clientId } = partner;
const { operatorId, email } = operator;
const asPartner: VouchedCaller = {
  ...{ kind: 'partner', partnerId, clientId },
  scopes: ['collector:write', 'status:read'],
};
const asOperator: VouchedCaller = { kind: 'operator', operatorId, email, role: 'admin' };

/** A call whose body comes in two parts. @returns how to send the second, and then the status of the answer */
async function begin(path: string, token: string, body: string) {
  const outgoing = request(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    agent: false,
  });
  const answered = once(outgoing, 'response');
  answered.catch(() => undefined);
  const half = body.length >> 1;
  outgoing.write(body.slice(0, half));
  return async () => {
    outgoing.end(body.slice(half));
    const [response] = await answered;
    return { status: response.statusCode as number, text: await text(response) };
  };
}

/** Signed as late as it can be: it ends while the body of a call is on its way. */
const nearItsEnd = (caller: VouchedCaller) =>
  signAsIntake(gateway.keyrings.intake, caller, { lifeSeconds: 3 });

test('a partner’s call whose token ends while the body arrives is finished, and the next one is refused', async () => {
  const token = nearItsEnd(asPartner);
  const evidences = [{ evidenceFile: png.toString('base64') }];
  const body = JSON.stringify(linkedPartnerBody({ referenceTransaction: 'LATE-1', evidences }));
  const finish = await begin('/collector/linked-partner/request', token, body);
  const status = () =>
    call(`${gateway.url}/middleware/signature-request/status?referenceTransaction=TX-1`, { token });
  expect((await status()).status).toBe(200);
  await expect.poll(async () => (await status()).status, { interval: 100 }).toBe(401);
  expect((await finish()).status).toBe(200);
  const again = await begin('/collector/linked-partner/request', token, body);
  expect((await again()).status).toBe(401);
});

test('so is an operator’s', async () => {
  const token = nearItsEnd(asOperator);
  const settings = JSON.stringify({ name: 'Late', email: 'late@example.com' });
  const finish = await begin('/trpc/partners.create', token, settings);
  const overview = () => call(`${gateway.url}/trpc/overview`, { token });
  expect((await overview()).status).toBe(200);
  await expect.poll(async () => (await overview()).status, { interval: 100 }).toBe(401);
  expect((await finish()).status).toBe(200);
  const again = await begin('/trpc/partners.create', token, settings);
  expect((await again()).status).toBe(401);
});
