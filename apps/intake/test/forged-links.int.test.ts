import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { findRenewable } from '../src/requests/renewal/find-renewable.ts';
import { reopenAdoption } from '../src/requests/request/registered/reopen-adoption.ts';
import { fault } from './support/claims.ts';
import { ownDatabase } from './support/own-database.ts';
import { renewalGround, renewalsOf } from './support/own-renewals.ts';
import { asOperator, makeRegistration, partnerIds } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with a request of their own and the rights of intake's role in the database; intake runs meanwhile. */
const ground = await disposeAfterAll(renewalGround());
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

const own = { email: 'mallory@mail.example', cellphoneNumber: '+593999999999' };

async function change(requestId: string, set: string, values: readonly unknown[] = []): Promise<void> {
  const sql = `update request set ${set} where id = $1 returning 1`;
  expect(await attacker.execute(sql, [requestId, ...values])).toHaveLength(1);
}
async function isAlarmed(requestId: string, table = 'request'): Promise<boolean> {
  const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
  return warnings.some(
    ({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `${table}:${requestId}`,
  );
}
async function registered(fields: Record<string, string> = {}): Promise<string> {
  const input = makeRegistration(fields);
  await ground.client.requests.register.mutate(input);
  await ground.reaches(input.requestId, 'GENERATING');
  return input.requestId;
}
async function issued(fields: Record<string, string> = {}): Promise<string> {
  const requestId = await registered(fields);
  await ground.issue(requestId);
  return requestId;
}

const makeToken = () => {
  const token = randomBytes(32).toString('base64url');
  return { token, sha256: createHash('sha256').update(token).digest('hex') };
};
/** A link that this service has given to a request of the attacker's. */
const insertLink = (requestId: string) => ground.link(requestId);

describe('a link that this service has not given', () => {
  it('opens no claim of the request that it was written to', async () => {
    const victim = await ground.approved();
    const { token, sha256 } = makeToken();
    await change(victim.requestId, 'claim_token_sha256 = $2', [sha256]);
    const sealedToken = await ground.sealToken(token);
    const invalid = fault('CLAIM_LINK_INVALID');
    await expect(ground.claims.view.query({ sealedToken })).rejects.toMatchObject(invalid);
    const sending = ground.claims.sendCode.mutate({ sealedToken, language: 'en' });
    await expect(sending).rejects.toMatchObject(invalid);
    expect(await ground.findSecret(victim.requestId, 'claim-code')).toBeUndefined();
    expect(await isAlarmed(victim.requestId, 'claim_link')).toBe(true);
    await change(victim.requestId, 'claim_link_mac = null');
    await expect(ground.claims.view.query({ sealedToken })).rejects.toMatchObject(invalid);
  });

  it('renews no certificate of another, whether it was inserted or moved', async () => {
    const [victim, mine] = [await issued(), await issued(own)];
    const { token, sha256 } = makeToken();
    await attacker.execute(
      `insert into renewal_link (token_sha256, request_id, expires_at) values ($1, $2, now() + interval '30 days')`,
      [sha256, victim],
    );
    const inserted = { sealedToken: await ground.sealToken(token) };
    const moved = await ground.link(mine);
    await attacker.execute('update renewal_link set request_id = $2 where request_id = $1', [mine, victim]);
    for (const { sealedToken } of [inserted, moved])
      await expect(ground.renewals.view.query({ sealedToken })).rejects.toMatchObject(
        fault('CLAIM_LINK_INVALID'),
      );
    expect(await isAlarmed(victim, 'renewal_link')).toBe(true);
  });

  it('counts where the release before has given it: the owner of the schema found it at the upgrade', async () => {
    const link = await ground.approved();
    await change(link.requestId, 'claim_link_mac = null');
    const { sealedToken } = link;
    await expect(ground.claims.view.query({ sealedToken })).rejects.toMatchObject(
      fault('CLAIM_LINK_INVALID'),
    );
    await expect(
      attacker.execute('insert into link_at_upgrade (token_sha256, request_id) values ($1, $2)', [
        ground.sha256(link.token),
        link.requestId,
      ]),
    ).rejects.toThrow('permission denied');
    await using owner = createDatabase({
      ...{ url: ground.intake.ground.service.ownerUrl, schema, entities: [], logger },
    });
    // The time of copies of that release is over: what has no proof by now is not theirs.
    await reopenAdoption(owner, 0);
    await expect(ground.claims.view.query({ sealedToken })).rejects.toMatchObject(
      fault('CLAIM_LINK_INVALID'),
    );
    await ground.intake.query(`update intake.data_upgrade set mixed_until = now() + interval '1 hour'`);
    await reopenAdoption(owner, 0);
    expect(await ground.claims.view.query({ sealedToken })).toMatchObject({ state: 'OPEN' });
  });
});

describe("a link to renew that leads to the attacker's own request", () => {
  it.each([
    ['was issued', issued],
    ['was not', registered],
  ])(
    'renews nobody else’s certificate whose serial number was written to it, where its own %s',
    async (_how, make) => {
      const victim = await issued({ email: 'victim@mail.com', cellphoneNumber: '+593991111111' });
      const link = await insertLink(await make(own));
      const set = `serial_number = lower($2), not_before = now(), not_after = now() + interval '10 days', certificate_status = 'VALID'`;
      await change(link.requestId, set, [ground.serialOf(victim)]);
      const attack = async () => ground.renew(link, await ground.sendRenewalCode(link));
      await expect(attack()).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
      await expect(ground.renewals.view.query(link)).rejects.toMatchObject(
        fault('REQUEST_STATE_NOT_ALLOWED'),
      );
      expect(await renewalsOf(ground, victim)).toEqual([]);
      expect(await renewalsOf(ground, link.requestId)).toEqual([]);
    },
  );

  it('renews it no earlier than generation says that it ends', async () => {
    const requestId = await issued();
    ground.ends.set(requestId, new Date(Date.now() + 300 * DAY_MS).toISOString());
    const link = await insertLink(requestId);
    await expect(ground.renewals.view.query(link)).rejects.toMatchObject(fault('RENEWAL_NOT_OPEN'));
    ground.ends.delete(requestId);
    expect(await ground.renewals.view.query(link)).toMatchObject({ state: 'OPEN' });
  });

  it('renews it by the days of the sandbox in a sandbox alone', async () => {
    const requestId = await issued();
    await change(requestId, 'certificate_advanced_days = 280');
    const notAfter = new Date(Date.now() + 300 * DAY_MS).toISOString();
    const [serialNumber, notBefore] = [ground.serialOf(requestId), new Date().toISOString()];
    const state = { serialNumber, notBefore, notAfter, status: 'VALID', version: 1 };
    await using its = await ownDatabase(ground.intake.ground);
    const find = (sandbox: boolean) =>
      findRenewable(
        {
          ...{ database: its.database, rows: its.rows, clock: ground.clock, logger, sandbox },
          timeZone: 'America/Guayaquil',
          peers: { generation: { 'certificates.byRequest': async () => state } },
        } as never,
        { partnerId: partnerIds.sandbox, serialNumber },
      );
    expect(await find(true)).toMatchObject({ former: { id: requestId } });
    await expect(find(false)).rejects.toMatchObject({ code: 'RENEWAL_NOT_OPEN' });
  });

  it('renews nothing with data that were changed, nor with an older row put back', async () => {
    const changed = await insertLink(await issued());
    await change(changed.requestId, `details = details || '{"cellphoneNumber":"+593999999999"}'`);
    const older = await insertLink(await issued());
    await attacker.execute(
      `insert into timeline (request_id, at, trigger, status, validation_status, actor)
       values ($1, now(), 'validateAgain', 'GENERATED', 'COMPLETED', 'service:intake') returning 1`,
      [older.requestId],
    );
    for (const link of [changed, older]) {
      await expect(ground.sendRenewalCode(link)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
      expect(await isAlarmed(link.requestId)).toBe(true);
    }
  });
});

describe('a link to claim that was moved to the request of another', () => {
  /** A right that a code of the attacker's own has given. */
  async function ownRight() {
    const mine = await ground.approved(own);
    const sealedCode = await ground.seal(await ground.sendCode(mine), mine.token);
    const given = await ground.claims.checkCode.mutate({ sealedToken: mine.sealedToken, sealedCode });
    return {
      mine,
      sealedRight: await ground.sealRight(await ground.openRight(given, mine.token), mine.token),
    };
  }
  async function claimed(): Promise<string> {
    const victim = await ground.approved({ email: 'victim@mail.com', cellphoneNumber: '+593991111111' });
    await ground.claim(victim, await ground.sendCode(victim));
    const { requestId } = victim;
    ground.certify(requestId);
    await ground.intake.tell('events.certificate.issued', {
      ...{ requestId, attempt: 1, serialNumber: ground.serialOf(requestId), certificateId: requestId },
      ...{ notBefore: '2026-11-21T00:00:00.000Z', notAfter: '2027-11-20T23:59:59.000Z' },
      ...{ cappedBy: null, truncated: [] },
    });
    const status = async () => (await ground.otp.status.query({ family: 'TV', requestId })).status;
    await pollFor(async () => (await status()) === 'GENERATED', { what: 'GENERATED' });
    return requestId;
  }
  const rightsOf = (requestId: string) =>
    attacker.execute(`select 1 from claim_right where request_id = $1 and expires_at > now()`, [requestId]);

  it.each([
    ['claimed by its applicant', claimed, ''],
    ['with the password of its partner', issued, `password_origin = 'HOLDER',`],
  ])('gives no right to download what was %s', async (_what, make, set) => {
    const victim = await make();
    const { mine, sealedRight } = await ownRight();
    const before = await rightsOf(victim);
    await change(mine.requestId, 'claim_token_sha256 = null');
    const moved = `${set} claim_token_sha256 = $2, renewal_of = $3, download_until = now() + interval '1 day'`;
    await change(victim, moved, [ground.sha256(mine.token), mine.requestId]);
    const claim = ground.claim(mine, '', { sealedCode: undefined, sealedRight });
    await expect(claim).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await rightsOf(victim)).toEqual(before);
    expect(await isAlarmed(victim)).toBe(true);
  });

  it('sends no code to a telephone that was not registered, and opens no download', async () => {
    const victim = await claimed();
    const mine = await ground.approved(own);
    await change(mine.requestId, 'claim_token_sha256 = null');
    const details = JSON.stringify({ cellphoneNumber: own.cellphoneNumber });
    const moved = 'claim_token_sha256 = $2, details = details || $3::jsonb';
    await change(victim, moved, [ground.sha256(mine.token), details]);
    const { sealedToken } = mine;
    const sending = ground.claims.sendCode.mutate({ sealedToken, language: 'en' });
    await expect(sending).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await ground.findSecret(victim, 'download-code')).toBeUndefined();
    const sealedCode = await ground.seal('000000', mine.token);
    const opening = ground.claims.openDownload.mutate({ sealedToken, sealedCode });
    await expect(opening).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await isAlarmed(victim)).toBe(true);
  });
});
