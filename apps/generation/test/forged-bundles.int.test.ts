import { createDatabase } from '@rubrica/database/connection';
import { toAppError } from '@rubrica/process/errors';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { entities, schema } from '../src/store/schema.ts';
import { grantFields, grantOf } from './support/grants.ts';
import { issued as issuedIn } from './support/issued-certificates.ts';
import { partnerId } from './support/orders.ts';
import { openScene } from './support/scene.ts';

/** With the rights of the service's role in the database, and with public keys alone. */
const scene = await disposeAfterAll(openScene());
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
const database = await disposeAfterAll(
  createDatabase({ url: scene.env.env.DATABASE_URL ?? '', schema, entities, logger }),
);

const asRole = (sql: string, params: readonly unknown[] = []) => database.execute(sql, params);
const refused = (call: Promise<unknown>) =>
  call.then(
    () => 'taken',
    (error: Error) => (error.message.includes('only move forward') ? 'refused' : error.message),
  );
/** A file of the attacker's making, sealed as generation seals: whoever has its public key can. */
const sealForged = (owner: string) =>
  scene.env.intakePeer.keyring.sealTo('generation', JSON.stringify({ file: 'ZXZpbA==', password: 'evil' }), {
    purpose: 'bundle',
    owner,
  });
async function released(requestId: string, rest: object = {}) {
  const grant = await grantOf(scene.env, requestId, { rest });
  const { sealed } = await scene.gateway.serviceClient().bundles.release.query({ grant });
  return scene.gateway.keyring.openText(sealed, { purpose: 'bundle', owner: requestId });
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );

describe('a bundle', () => {
  it('is not replaced by one that was sealed by another', async () => {
    const { id, requestId } = await issuedIn(scene);
    const before = await released(requestId);
    const forged = await sealForged(requestId);
    const statements = [
      asRole('update bundle set sealed = $2 where certificate_id = $1', [id, forged]),
      asRole('delete from bundle where certificate_id = $1', [id]),
    ];
    expect(await Promise.all(statements.map(refused))).toEqual(['refused', 'refused']);
    expect(await released(requestId)).toBe(before);
  });

  it('is not taken from another row that was given the serial number of its certificate', async () => {
    const { id, requestId, serialNumber } = await issuedIn(scene);
    await asRole(
      `update certificate set serial = 'PARKED', revoked_at = now(), revocation_reason = 'superseded' where id = $1`,
      [id],
    );
    const forged = uuidv7();
    await asRole(
      `insert into certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject, not_before,
         not_after, requested_not_after, der, issued_at, truncated, crl_shard)
       select $2::uuid, request_id, partner_id, attempt, $3::text, issuer, profile, key_algorithm, subject, not_before,
         not_after, requested_not_after, der, issued_at, truncated, crl_shard from certificate where id = $1`,
      [id, forged, serialNumber],
    );
    await asRole(
      `insert into bundle (certificate_id, sealed, purge_at) values ($1, $2, now() + interval '1 day')`,
      [forged, await sealForged(requestId)],
    );
    const grant = { requestId, partnerId, serial: serialNumber };
    expect(await codeOf(released(requestId, grant))).toBe('CERTIFICATE_NOT_FOUND');
  });

  it('of the release before is handed out: the audit log names its certificate', async () => {
    const { id, requestId } = await issuedIn(scene);
    await asRole('update certificate set mac = null where id = $1', [id]);
    expect(await codeOf(released(requestId))).toBe('OK');
  });

  it('is not purged by a grant that names it with another request', async () => {
    const [own, other] = [await issuedIn(scene), await issuedIn(scene)];
    await asRole(`update bundle set deliver_until = now() + interval '1 day' where certificate_id = $1`, [
      other.id,
    ]);
    const { notifier, env } = scene;
    const purge = async (requestId: string) => {
      const fields = await grantFields(env, own.requestId, {
        azp: 'notifier',
        purpose: 'purge',
        rest: { serials: [other.serialNumber], requestIds: [requestId] },
      });
      const grant = env.intakePeer.keyring.signStatement('rubrica-grant+jwt', fields);
      return (await notifier.serviceClient().bundles.purge.mutate({ grant })).changed;
    };
    expect([await purge(own.requestId), await purge(other.requestId)]).toEqual([0, 1]);
  });
});
