import { createHash } from 'node:crypto';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { makeOrder, signOrder } from './support/orders.ts';
import type { SignOrder } from './support/peers.ts';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene());

const forged: readonly (readonly [name: string, sign: SignOrder])[] = [
  ['no statement', () => undefined],
  ['a statement of another service', (order) => signOrder(order, scene.gateway.keyring)],
  [
    'a statement that names another issuer than its key',
    (order) => signOrder(order, scene.gateway.keyring, { iss: 'intake' }),
  ],
  ['a statement of another kind', (_, keyring) => keyring.signStatement('rubrica-grant+jwt', {})],
  ['a statement that was cut', (order, keyring) => signOrder(order, keyring).slice(0, -1)],
  [
    'a statement for another request',
    (order, keyring) => signOrder({ ...order, requestId: uuidv7() }, keyring),
  ],
  ['a statement for another attempt', (order, keyring) => signOrder({ ...order, attempt: 2 }, keyring)],
  [
    'a statement for another subject',
    (order, keyring) => signOrder({ ...order, subject: { ...order.subject, givenName: 'ROSA' } }, keyring),
  ],
  [
    'a statement for another partner',
    (order, keyring) => signOrder({ ...order, partnerId: uuidv7() }, keyring),
  ],
  [
    'a statement for another period',
    (order, keyring) => signOrder({ ...order, period: 'ONE_WEEK' }, keyring),
  ],
  [
    'a statement for another type',
    (order, keyring) => signOrder({ ...order, certificateType: 'TRANSACTIONAL_SIGNATURE' }, keyring),
  ],
  ['a statement for another key', (order, keyring) => signOrder({ ...order, keyType: 'EC-P256' }, keyring)],
  [
    'a statement for another password',
    (order, keyring) => signOrder({ ...order, sealedPassword: 'sealed.by.another' }, keyring),
  ],
  [
    'a statement for another origin of the password',
    (order, keyring) => signOrder({ ...order, passwordOrigin: 'HOLDER' }, keyring),
  ],
  ['a statement without a webhook', (order, keyring) => signOrder({ ...order, hasWebhook: false }, keyring)],
  ['a statement with a claim of its own', (order, keyring) => signOrder(order, keyring, { also: true })],
];

async function rowsOf(table: string, requestId: string) {
  return scene.env.database.query(`select 1 from generation.${table} where request_id = $1`, [requestId]);
}

describe('an order', () => {
  it.concurrent.each(forged)(
    'is not issued from with %s, and waits for its statement',
    async (_name, sign) => {
      const job = { requestId: uuidv7(), attempt: 1 };
      const { intake } = scene.env;
      intake.place(makeOrder(job), sign);
      await intake.publishJob(job);
      await pollFor(async () => {
        const [row] = await scene.env.database.query<{ free: boolean }>(
          'select lease_until is null and fence > 0 as free from generation.issuance where request_id = $1',
          [job.requestId],
        );
        return row?.free === true;
      });
      for (const table of ['certificate', 'serial_number', 'audit_entry'])
        expect(await rowsOf(table, job.requestId), table).toEqual([]);
      expect(await scene.order({}, job)).toMatchObject({ subject: 'issued' });
    },
  );

  it('leaves the hash of its statement in the audit log', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    let statement = '';
    scene.env.intake.place(makeOrder(job), (order, keyring) => {
      statement = signOrder(order, keyring);
      return statement;
    });
    await scene.env.intake.publishJob(job);
    const details = await pollFor(async () => {
      const rows = await scene.env.database.query<{ detail: Record<string, unknown> }>(
        `select detail from generation.audit_entry where request_id = $1 and action = 'certificate.intended'`,
        [job.requestId],
      );
      return rows[0]?.detail;
    });
    expect(details).toMatchObject({ orderSha256: createHash('sha256').update(statement).digest('hex') });
  });
});
