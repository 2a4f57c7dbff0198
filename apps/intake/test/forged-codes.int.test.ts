import { createHmac, randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { fault, otherThan, sha256 } from './support/claims.ts';
import { newBrowser, revocationGround } from './support/revocations.ts';
import { asOperator } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with the rights of intake's role in the database and everybody's public keys; intake runs meanwhile. */
const scene = await disposeAfterAll(revocationGround());
const ground = scene.ground;
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);
/** Seals as anybody can: to a public key. */
const anybody = (await ground.intake.ground.peer('generation')).keyring;

function approved() {
  return ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
}
type Link = Awaited<ReturnType<typeof approved>>;

async function hasAlarm(table: string): Promise<boolean> {
  const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
  return warnings.some(
    ({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject?.startsWith(`${table}:`) === true,
  );
}

/** A row for the code 000000, as intake itself would write it but for what its key alone can make. */
async function insertCode(requestId: string, purpose: string, columns: Record<string, unknown> = {}) {
  const id = uuidv7();
  const key = randomBytes(32);
  const row = {
    id,
    request_id: requestId,
    purpose,
    sent_at: new Date(),
    expires_at: new Date(Date.now() + 5 * MINUTE_MS),
    digest: createHmac('sha256', key).update(`${requestId}:${id}:000000`).digest('hex'),
    sealed_key: await anybody.sealTo('intake', key, { purpose: 'code-key', owner: id }),
    ...columns,
  };
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await attacker.execute(
    `insert into claim_code (${names.join(', ')}) values (${places.join(', ')}) returning 1`,
    Object.values(row),
  );
}

async function insertRight(link: Link, purpose: 'claim' | 'download'): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await attacker.execute(
    `insert into claim_right (secret_sha256, request_id, token_sha256, purpose, expires_at)
     values ($1, $2, $3, $4, now() + interval '10 minutes') returning 1`,
    [sha256(secret), link.requestId, sha256(link.token), purpose],
  );
  return secret;
}

async function claimBy(link: Link, secret: string) {
  const sealedRight = await ground.sealRight(secret, link.token);
  return ground.claim(link, '', { sealedCode: undefined, sealedRight });
}
async function downloadBy({ token, sealedToken }: Link, secret: string) {
  const sealedRight = await ground.sealRight(secret, token);
  return ground.claims.openDownload.mutate({ sealedToken, sealedRight });
}
async function check({ token, sealedToken }: Link, code: string): Promise<string> {
  const sealedCode = await ground.seal(code, token);
  return ground.openRight(await ground.claims.checkCode.mutate({ sealedToken, sealedCode }), token);
}

describe('a code whose row was written in the database', () => {
  it('claims nothing, and gives no right', async () => {
    const link = await approved();
    await insertCode(link.requestId, 'claim');
    await expect(ground.claim(link, '000000')).rejects.toMatchObject(fault('OTP_EXPIRED'));
    await expect(check(link, '000000')).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'OPEN', code: null });
  });

  it('with the MAC of another, claims nothing, and the alarm names it', async () => {
    const [mine, other] = [await approved(), await approved()];
    await ground.sendCode(mine);
    const [row] = await attacker.execute<{ mac: string }>(
      'select mac from claim_code where request_id = $1',
      [mine.requestId],
    );
    await insertCode(other.requestId, 'claim', { mac: row?.mac });
    await expect(ground.claim(other, '000000')).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect(await hasAlarm('claim_code')).toBe(true);
  });

  it('revokes nothing, by number and by the link', async () => {
    const { requestId, pair, link } = await scene.issued();
    const own = newBrowser();
    await insertCode(requestId, 'revoke', { way: 'link' });
    await insertCode(requestId, 'revoke', { way: 'number', browser_sha256: sha256(own.value) });
    await expect(scene.revoke(link, '000000')).rejects.toMatchObject(fault('OTP_EXPIRED'));
    await expect(scene.revoke(pair, '000000', { browser: own })).rejects.toMatchObject(fault('OTP_INVALID'));
    expect(scene.revoked.some(({ serialNumber }) => serialNumber === pair.serialNumber)).toBe(false);
  });
});

describe('a telephone that was changed in the database', () => {
  it('gets no code to revoke with, by number and by the link', async () => {
    const { requestId, pair, link } = await scene.issued();
    const own = newBrowser();
    await attacker.execute(
      `update request set details = details || '{"cellphoneNumber":"+593999999999"}' where id = $1 returning 1`,
      [requestId],
    );
    await expect(scene.send(link)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    // By number it answers the same whatever became of it.
    await scene.send(pair, own);
    expect(await ground.findSecret(requestId, 'revoke-code')).toBeUndefined();
    expect(await hasAlarm('request')).toBe(true);
  });
});

describe('a code that was changed in the database', () => {
  it.each([
    ['made to last', `expires_at = expires_at + interval '1 hour'`],
    ['said to be of another request', `request_id = (select id from request order by created_at limit 1)`],
    ['said to be for another purpose', `purpose = 'download'`],
  ])('%s, claims nothing', async (_what, change) => {
    const link = await approved();
    const code = await ground.sendCode(link);
    await attacker.execute(`update claim_code set ${change} where request_id = $1 returning 1`, [
      link.requestId,
    ]);
    await expect(ground.claim(link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });

  it('given to another browser, revokes nothing', async () => {
    const { requestId, pair } = await scene.issued();
    const [own, other] = [newBrowser(), newBrowser()];
    await scene.send(pair, own);
    const code = await scene.codeOf(requestId);
    await attacker.execute(
      `update claim_code set browser_sha256 = $2 where request_id = $1 and purpose = 'revoke' returning 1`,
      [requestId, sha256(other.value)],
    );
    await expect(scene.revoke(pair, code, { browser: other })).rejects.toMatchObject(fault('OTP_INVALID'));
  });

  it.each([
    [
      'whose wrong tries are taken back',
      'update claim_code set wrong_tries = 0 where request_id = $1 returning 1',
    ],
    [
      'that is put back whole',
      `with gone as (delete from claim_code where request_id = $1 returning *)
       select 1 from gone`,
    ],
  ])('%s after each guess, is compared five times still', async (_what, takeBack) => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const [row] = await attacker.execute<{ row: object }>(
      'select to_jsonb(claim_code) as row from claim_code where request_id = $1',
      [link.requestId],
    );
    for (const _ of [1, 2, 3, 4, 5]) {
      await expect(ground.claim(link, otherThan(code))).rejects.toMatchObject(fault('OTP_INVALID'));
      await attacker.execute(takeBack, [link.requestId]);
      await attacker.execute(
        `insert into claim_code select * from jsonb_populate_record(null::claim_code, $1::jsonb)
         on conflict do nothing returning 1`,
        [JSON.stringify(row?.row)],
      );
    }
    await expect(ground.claim(link, code)).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
  });

  it('put back whole after it was over, MAC and all, is over still', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const [row] = await attacker.execute<{ row: object }>(
      'select to_jsonb(claim_code) as row from claim_code where request_id = $1',
      [link.requestId],
    );
    ground.pass(5 * MINUTE_MS);
    await ground.sweep();
    await attacker.execute('delete from claim_code where request_id = $1 returning 1', [link.requestId]);
    await attacker.execute(
      'insert into claim_code select * from jsonb_populate_record(null::claim_code, $1::jsonb) returning 1',
      [JSON.stringify(row?.row)],
    );
    await expect(ground.claim(link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });
});

describe('a right whose row was written in the database', () => {
  it('claims nothing', async () => {
    const link = await approved();
    const secret = await insertRight(link, 'claim');
    await expect(claimBy(link, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'OPEN' });
  });

  it('opens no download', async () => {
    const link = await approved();
    await ground.claim(link, await ground.sendCode(link));
    await ground.issue(link.requestId);
    await ground.reaches(link.requestId, 'GENERATED');
    const secret = await insertRight(link, 'download');
    await expect(downloadBy(link, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });

  it.each([
    ['made to last', `expires_at = expires_at + interval '1 hour'`],
    ['given to another request', `request_id = (select id from request order by created_at limit 1)`],
    ['made one to download', `purpose = 'download'`],
  ])('%s, claims nothing', async (_what, change) => {
    const link = await approved();
    const secret = await check(link, await ground.sendCode(link));
    await attacker.execute(`update claim_right set ${change} where request_id = $1 returning 1`, [
      link.requestId,
    ]);
    await expect(claimBy(link, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });
});

it('a right that was changed raises the alarm when it is shown', async () => {
  const link = await approved();
  const secret = await check(link, await ground.sendCode(link));
  await attacker.execute(
    `update claim_right set expires_at = expires_at + interval '1 hour' where request_id = $1 returning 1`,
    [link.requestId],
  );
  await expect(claimBy(link, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  expect(await hasAlarm('claim_right')).toBe(true);
});

describe('the attacker’s own link, given to another request in the database', () => {
  async function moveLink(mine: Link, other: Link): Promise<void> {
    await attacker.execute('update request set claim_token_sha256 = null where id = $1 returning 1', [
      mine.requestId,
    ]);
    await attacker.execute('update request set claim_token_sha256 = $2 where id = $1 returning 1', [
      other.requestId,
      sha256(mine.token),
    ]);
  }
  async function issued(): Promise<{ link: Link; secret: string }> {
    const link = await approved();
    const { retrieval } = await ground.claim(link, await ground.sendCode(link));
    await ground.issue(link.requestId);
    await ground.reaches(link.requestId, 'GENERATED');
    return { link, secret: await ground.openRight(retrieval ?? { sealedRight: '' }, link.token) };
  }

  it('brings no right along: it claims nothing', async () => {
    const [mine, other] = [await approved(), await approved()];
    const secret = await check(mine, await ground.sendCode(mine));
    await moveLink(mine, other);
    await expect(claimBy(mine, secret)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await ground.timelineOf(other.requestId)).not.toContain('claim');
  });

  it('brings no right along: it downloads nothing', async () => {
    const [mine, other] = [await issued(), await issued()];
    expect(await downloadBy(mine.link, mine.secret)).toMatchObject({ requestId: mine.link.requestId });
    await moveLink(mine.link, other.link);
    await expect(downloadBy(mine.link, mine.secret)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
  });

  it('brings no code along, and has none sent to the other applicant', async () => {
    const mine = await approved();
    const other = await ground.approved({
      ...{ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined },
      cellphoneNumber: '+593987000002',
    });
    const code = await ground.sendCode(mine);
    await moveLink(mine, other);
    await expect(ground.claim(mine, code)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    const sending = ground.claims.sendCode.mutate({ sealedToken: mine.sealedToken, language: 'es' });
    await expect(sending).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await ground.findSecret(other.requestId, 'claim-code')).toBeUndefined();
  });

  it('of a renewal brings no right along either', async () => {
    const [mine, other] = [await issued(), await issued()];
    const renewal = randomBytes(32).toString('base64url');
    await attacker.execute(
      `insert into renewal_link (token_sha256, request_id, renewal_id, expires_at)
       values ($1, $2, $2, now() + interval '1 day') returning 1`,
      [sha256(renewal), mine.link.requestId],
    );
    await attacker.execute('update claim_right set token_sha256 = $2 where request_id = $1 returning 1', [
      mine.link.requestId,
      sha256(renewal),
    ]);
    const { renewals } = ground.intake.client({ kind: 'service', name: 'gateway' });
    const open = async () =>
      renewals.openDownload.mutate({
        sealedToken: await ground.sealToken(renewal),
        sealedRight: await ground.sealRight(mine.secret, renewal),
      });
    await expect(open()).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    await attacker.execute('update renewal_link set renewal_id = $2 where token_sha256 = $1 returning 1', [
      sha256(renewal),
      other.link.requestId,
    ]);
    await expect(open()).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
  });
});

describe('a message whose address was written in the database', () => {
  const redirected = async (requestId: string, template: string, to: string) => {
    await attacker.execute(
      'update message set recipient = $3 where request_id = $1 and template = $2 returning 1',
      [requestId, template, to],
    );
    return ground.messageOf(requestId, template);
  };

  it('carries no code', async () => {
    const link = await approved();
    await ground.sendCode(link);
    expect((await ground.messageOf(link.requestId, 'claim-code')).sealedSecret).not.toBeNull();
    expect((await redirected(link.requestId, 'claim-code', '+593990000666')).sealedSecret).toBeNull();
  });

  it('carries no link', async () => {
    const link = await approved();
    expect((await ground.messageOf(link.requestId, 'claim')).sealedSecret).not.toBeNull();
    expect((await redirected(link.requestId, 'claim', 'mallory@example.com')).sealedSecret).toBeNull();
  });

  it('made there, carries no code that was sealed for another message', async () => {
    const link = await approved();
    await ground.sendCode(link);
    const id = uuidv7();
    await attacker.execute(
      `insert into message (id, request_id, channel, template, language, recipient, sealed_secret, secret_until)
       select $1, request_id, channel, template, language, '+593990000666', sealed_secret, secret_until
       from message where request_id = $2 and template = 'claim-code' returning 1`,
      [id, link.requestId],
    );
    await attacker.execute(
      `insert into claim_code select (jsonb_populate_record(claim_code, jsonb_build_object('id', $1::text))).*
       from claim_code where request_id = $2 returning 1`,
      [id, link.requestId],
    );
    const notifier = await ground.intake.peer('notifier');
    expect(await notifier.messages.get.query({ messageId: id })).toMatchObject({
      to: '+593990000666',
      sealedSecret: null,
    });
  });
});
