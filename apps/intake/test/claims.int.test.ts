import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { codeRules } from '../src/requests/claim/code-rules.ts';
import { claimGround, fault } from './support/claims.ts';
import { changePartner } from './support/own-database.ts';
import { asOperator, asPartner, partnerIds } from './support/running-intake.ts';

const ground = await disposeAfterAll(claimGround());

const TRANSACTIONAL = { certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined };
async function claimed() {
  const link = await ground.approved({ identificationNumber: '1710034065', ...TRANSACTIONAL });
  await ground.claim(link, await ground.sendCode(link));
  return link;
}

function rowsOf(table: string, requestId: string) {
  return ground.intake.query(`select * from intake.${table} where request_id = $1`, [requestId]);
}

describe('the view of a link', () => {
  it('shows who and what, masks what could identify a stranger, and says where codes go', async () => {
    const { requestId, sealedToken } = await ground.approved({
      identificationNumber: '1710034065',
      cellphoneNumber: '+593991234123',
    });
    const { claims } = ground;
    const view = await claims.view.query({ sealedToken });
    expect(view).toMatchObject({
      requestId,
      state: 'OPEN',
      applicantName: 'María José Ñúñez Pazmiño',
      identificationMasked: '******4065',
      applicationType: 'NATURAL_PERSON',
      certificateType: 'TRADITIONAL_SIGNATURE',
      period: 'ONE_YEAR',
      partnerName: 'Partner otp',
      codeChannel: 'sms',
      codeSentTo: '+593*****123',
      code: null,
      serialNumber: null,
      downloadUntil: null,
    });
    expect(JSON.stringify(view)).not.toMatch(/171003|99123|jane/);
    const { code } = await claims.sendCode
      .mutate({ sealedToken, language: 'es' })
      .then(() => claims.view.query({ sealedToken }));
    expect(code).toMatchObject({ triesLeft: 5 });
  });

  it('offers the file for older programs while the partner’s own setting allows it, and not by a row changed past us', async () => {
    const { sealedToken } = await ground.approved({ identificationNumber: '1710034065' });
    const offered = async () => (await ground.claims.view.query({ sealedToken })).offersLegacyFile;
    expect(await offered()).toBe(false);
    await changePartner(ground.intake.ground, partnerIds.otp, { legacyPkcs12: true });
    expect(await offered()).toBe(true);
    await changePartner(ground.intake.ground, partnerIds.otp, { legacyPkcs12: false });
    const sql = 'update intake.partner set legacy_pkcs12 = true where id = $1';
    await ground.intake.query(sql, [partnerIds.otp]);
    expect(await offered()).toBe(false);
    await ground.intake.query(sql.replace('true', 'false'), [partnerIds.otp]);
  });

  it('is nobody’s for a token that was never given out, and the gateway’s alone to ask for', async () => {
    const input = { sealedToken: await ground.sealToken('made up') };
    await expect(ground.claims.view.query(input)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    const partner = ground.intake.client(asPartner('otp'));
    await expect(partner.claims.view.query(input)).rejects.toMatchObject(fault('FORBIDDEN'));
    const viewer = ground.intake.client(asOperator('admin'));
    await expect(viewer.claims.view.query(input)).rejects.toMatchObject(fault('FORBIDDEN'));
  });

  it('is not opened by the hash in the tables, whatever the gateway makes of it with its own keys', async () => {
    const { requestId, token } = await ground.approved();
    const sql = 'select claim_token_sha256 as hash from intake.request where id = $1';
    const [{ hash } = { hash: '' }] = await ground.intake.query<{ hash: string }>(sql, [requestId]);
    expect(hash).toBe(ground.sha256(token));
    const { keyring } = await ground.intake.ground.peer('gateway');
    await expect(
      ground.claims.view.query({ sealedToken: await ground.sealToken(hash) }),
    ).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    const asEvidence = { purpose: 'evidence-token', owner: 'gateway' } as const;
    const asNotifiers = { purpose: 'claim-token', owner: 'notifier' } as const;
    const madeUp = [
      hash,
      await keyring.sealTo('intake', token, asEvidence),
      await keyring.sealTo('intake', token, asNotifiers),
      await keyring.sealTo('generation', token, { purpose: 'claim-token', owner: 'gateway' }),
    ];
    const { claims } = ground;
    const rest = { sealedCode: 'a', sealedPassword: 'b', termsId: null, language: 'es' as const };
    for (const sealedToken of madeUp) {
      const attacks = [
        claims.view.query({ sealedToken }),
        claims.ownData.query({ sealedToken }),
        claims.sendCode.mutate({ sealedToken, language: 'es' }),
        claims.claim.mutate({ ...rest, sealedToken, remoteAddress: '192.0.2.7', userAgent: null }),
        claims.openDownload.mutate({ sealedToken, sealedCode: 'a' }),
      ];
      await Promise.all(
        attacks.map((attack) => expect(attack).rejects.toMatchObject(fault('INTERNAL_ERROR'))),
      );
    }
    await expect(claims.view.query({ tokenSha256: hash } as never)).rejects.toMatchObject(
      fault('FIELD_INVALID'),
    );
  });

  it('says ENDED once the request is cancelled; nothing of it can be used or opened any more', async () => {
    const link = await ground.approved();
    await ground.sendCode(link);
    await ground.otp.cancel.mutate({ family: 'TV', requestId: link.requestId, faults: [] });
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'ENDED', code: null });
    await expect(ground.claim(link, '123456')).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    await expect(ground.sendCode(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    const secrets = await ground.intake.query(
      `select 1 from intake.message where request_id = $1 and sealed_secret is not null
       union all select 1 from intake.claim_code where request_id = $1 and digest is not null
       union all select 1 from intake.request where id = $1 and sealed_password is not null`,
      [link.requestId],
    );
    expect(secrets).toEqual([]);
  });
});

describe('a claim', () => {
  it('starts generation with the applicant’s password and leaves its traces, none of them secret', async () => {
    const link = await ground.approved({ identificationNumber: '1710034065', ...TRANSACTIONAL });
    const code = await ground.sendCode(link);
    expect(await ground.claim(link, code, { sealedPassword: 'the.applicants.own' })).toMatchObject({
      state: 'IN_PROGRESS',
      code: null,
    });
    const order = { requestId: link.requestId, attempt: 1 };
    const generation = await ground.intake.peer('generation');
    expect(await generation.issuance.order.query(order)).toMatchObject({
      sealedPassword: 'the.applicants.own',
      passwordOrigin: 'HOLDER',
    });
    expect(await ground.intake.outbox('jobs.certificate.issue')).toContainEqual(order);
    const timeline = await ground.intake
      .operators(asOperator('viewer'))
      .requests.timeline.query({ requestId: link.requestId });
    expect(timeline.items.map(({ kind }) => kind)).toEqual([
      'register',
      'startValidation',
      'approve',
      'sendClaimCode',
      'claim',
    ]);
    const { requestId } = link;
    const audit = await ground.intake
      .operators(asOperator('viewer'))
      .audit.list.query({ service: 'intake', requestId });
    expect(audit.items[0]).toMatchObject({ action: 'claims.claim', actor: 'holder' });
    const outbox = JSON.stringify(await ground.intake.query('select payload, headers from intake.outbox'));
    expect(outbox).not.toContain(code);
    expect(outbox).not.toContain(link.token);
    const stored = JSON.stringify(await rowsOf('claim_code', requestId));
    expect(stored).not.toContain(code);
  });

  it('answers a repeat, whatever its code, with how far it is: nothing was lost where the answer was', async () => {
    const link = await claimed();
    expect(await ground.claim(link, '000000')).toMatchObject({ state: 'IN_PROGRESS' });
    await ground.issue(link.requestId);
    await ground.reaches(link.requestId, 'GENERATED');
    expect(await ground.claim(link, '000000')).toMatchObject({ state: 'ISSUED' });
    expect((await ground.timelineOf(link.requestId)).filter((one) => one === 'claim')).toHaveLength(1);
  });

  it('happens once of many at once: one wins, the others get its view', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const code = await ground.sendCode(link);
    const answers = await Promise.all(
      // Each is a try of the code, right as it is.
      Array.from({ length: codeRules.tries }, (_, index) =>
        ground.claim(link, code, { sealedPassword: `sealed.${index}` }),
      ),
    );
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['IN_PROGRESS']));
    expect((await ground.timelineOf(link.requestId)).filter((one) => one === 'claim')).toHaveLength(1);
    const orders = await ground.intake.outbox('jobs.certificate.issue');
    expect(orders.filter(({ requestId }) => requestId === link.requestId)).toHaveLength(1);
  });

  it('and a cancellation at once: one of them happens, and the other is told the state', async () => {
    for (const _ of [1, 2, 3, 4, 5]) {
      const link = await ground.approved(TRANSACTIONAL);
      const { requestId } = link;
      const code = await ground.sendCode(link);
      const outcomes = await Promise.allSettled([
        ground.claim(link, code),
        ground.otp.cancel.mutate({ family: 'TV', requestId, faults: [] }),
      ]);
      const [lost, ...others] = outcomes.filter((one) => one.status === 'rejected');
      expect(others).toEqual([]);
      expect(lost?.reason).toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
      const [claim] = outcomes;
      const { status } = await ground.statusOf(requestId);
      expect(status).toBe(claim.status === 'fulfilled' ? 'GENERATING' : 'CANCELLED');
      const kept = await ground.intake.query<{ sealed: string | null }>(
        'select sealed_password as sealed from intake.request where id = $1',
        [requestId],
      );
      expect(kept[0]?.sealed === null).toBe(status === 'CANCELLED');
    }
  });

  it('overtakes the mails that asked for it, though the ciphertext of the link is kept for the next', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const before = await ground.messageOf(link.requestId, 'claim');
    expect(before).toMatchObject({ sealedSecret: expect.any(String), expiresAt: expect.any(String) });
    await ground.claim(link, await ground.sendCode(link));
    expect(await ground.messageOf(link.requestId, 'claim')).toMatchObject({
      sealedSecret: null,
      expiresAt: null,
    });
    expect((await ground.messageOf(link.requestId, 'claim-code')).sealedSecret).toBeNull();
  });

  it('counts in the window’s last second and not after its end, whether the sweeper came or not', async () => {
    const links = [await ground.approved(TRANSACTIONAL), await ground.approved(TRANSACTIONAL)] as const;
    const { expiresAt } = await ground.claims.view.query(links[0]);
    const endOf = (requestId: string, at: Date) =>
      ground.intake.query('update intake.request set claim_expires_at = $2, due_at = $2 where id = $1', [
        requestId,
        at,
      ]);
    expect(new Date(expiresAt).getTime() - ground.clock().getTime()).toBeGreaterThan(49 * DAY_MS);
    const [code, late] = [await ground.sendCode(links[0]), await ground.sendCode(links[1])];
    await endOf(links[0].requestId, new Date(ground.clock().getTime() + 30_000));
    expect(await ground.claim(links[0], code)).toMatchObject({ state: 'IN_PROGRESS' });
    await endOf(links[1].requestId, ground.clock());
    await expect(ground.claim(links[1], late)).rejects.toMatchObject(fault('CLAIM_LINK_EXPIRED'));
    await ground.sweep();
    await ground.reaches(links[1].requestId, 'EXPIRED');
    await expect(ground.claims.view.query(links[1])).rejects.toMatchObject(fault('CLAIM_LINK_EXPIRED'));
    await ground.sweep();
    expect(await ground.statusOf(links[0].requestId)).toMatchObject({ status: 'GENERATING' });
  });

  it('of a request that a correction sent back is asked for anew, by a new link', async () => {
    const link = await claimed();
    const { requestId } = link;
    await ground.intake.tell('events.certificate.failed', {
      requestId,
      attempt: 1,
      code: 'CERTIFICATE_SIGNING_FAILED',
    });
    await ground.reaches(requestId, 'ERROR');
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'IN_PROGRESS', obstacle: 'ERROR' });
    const corrections = { applicantName: 'Maria' };
    await ground.otp.retry.mutate({ family: 'TV', requestId, corrections, faults: [] });
    await ground.reaches(requestId, 'APPROVED');
    await expect(ground.claims.view.query(link)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    const token = await ground.secretOf(requestId, 'claim');
    const again = { requestId, token, sealedToken: await ground.sealToken(token) };
    expect(await ground.claim(again, await ground.sendCode(again))).toMatchObject({ state: 'IN_PROGRESS' });
  });
});

describe('the terms', () => {
  it('in force must be the ones accepted; a change in between costs no try of the code', async () => {
    const first = ground.terms.activate('1');
    const link = await ground.approved();
    const code = await ground.sendCode(link);
    await expect(ground.claim(link, code, { termsId: null })).rejects.toMatchObject(
      fault('TERMS_NOT_ACCEPTED'),
    );
    const second = ground.terms.activate('2');
    await expect(ground.claim(link, code, { termsId: first.id })).rejects.toMatchObject(
      fault('TERMS_OUTDATED'),
    );
    expect(await ground.claims.view.query(link)).toMatchObject({ code: { triesLeft: 5 } });
    await ground.claim(link, code, { termsId: second.id });
    const [acceptance, ...more] = await rowsOf('terms_acceptance', link.requestId);
    expect(more).toEqual([]);
    expect(acceptance).toMatchObject({
      terms_id: second.id,
      terms_version: '2',
      language: 'en',
      remote_address: '192.0.2.7',
      user_agent: 'A browser',
    });
  });

  it('must be there: without any, nothing can be claimed, whatever the page showed, and no try is lost', async () => {
    const shown = ground.terms.activate('3');
    const link = await ground.approved();
    const code = await ground.sendCode(link);
    ground.terms.withdraw();
    for (const termsId of [shown.id, null, uuidv7()]) {
      await expect(ground.claim(link, code, { termsId })).rejects.toMatchObject(fault('NO_ACTIVE_TERMS'));
    }
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'OPEN', code: { triesLeft: 5 } });
    const orders = await ground.intake.outbox('jobs.certificate.issue');
    expect(orders.filter(({ requestId }) => requestId === link.requestId)).toEqual([]);
    expect(await rowsOf('terms_acceptance', link.requestId)).toEqual([]);
    ground.terms.activate('4');
    expect(await ground.claim(link, code)).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('must be there before a code is sent for a claim, and need not be for a download', async () => {
    ground.terms.activate('5');
    const issued = await claimed();
    await ground.issue(issued.requestId);
    await ground.reaches(issued.requestId, 'GENERATED');
    const link = await ground.approved();
    ground.terms.withdraw();
    await expect(ground.sendCode(link)).rejects.toMatchObject(fault('NO_ACTIVE_TERMS'));
    expect(await rowsOf('claim_code', link.requestId)).toEqual([]);
    expect(await ground.sendCode(issued)).toMatch(/^\d{6}$/);
    ground.terms.activate('6');
    expect(await ground.claim(link, await ground.sendCode(link))).toMatchObject({ state: 'IN_PROGRESS' });
  });
});

describe('what is known of an applicant', () => {
  it('is given to the gateway alone, for a proven code, and only while the link may be claimed', async () => {
    const link = await ground.approved({
      identificationNumber: '1710034065',
      cellphoneNumber: '+593991234123',
    });
    const { claims } = ground;
    const { sealedToken, token } = link;
    expect(await claims.ownData.query({ sealedToken })).toEqual({ values: [] });
    const sealedCode = await ground.seal(await ground.sendCode(link), token);
    const given = await claims.checkCode.mutate({ sealedToken, sealedCode });
    const sealedRight = await ground.sealRight(await ground.openRight(given, token), token);
    const madeUp = await ground.sealRight('made up', token);
    await expect(claims.ownData.query({ sealedToken, sealedRight: madeUp })).rejects.toMatchObject(
      fault('OTP_EXPIRED'),
    );
    const own = await claims.ownData.query({ sealedToken, sealedRight });
    expect(own?.values).toEqual(
      expect.arrayContaining(['1710034065', 'María José', 'Ñúñez', '+593991234123', 'Partner otp']),
    );
    await expect(
      claims.ownData.query({ sealedToken: await ground.sealToken('made up') }),
    ).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    for (const other of [asPartner('otp'), asOperator('admin')]) {
      await expect(ground.intake.client(other).claims.ownData.query(link)).rejects.toMatchObject(
        fault('FORBIDDEN'),
      );
    }
    await ground.claim(link, await ground.sendCode(link));
    expect(await claims.ownData.query(link)).toBeNull();
  });
});

describe('the overview', () => {
  const warnings = async () => {
    const overview = await ground.intake.operators(asOperator('viewer')).overview.query();
    // Of the machine that tests run on, and of the row that a test before has altered.
    const others = ['FILES_NOT_ISOLATED', 'ROW_NOT_AUTHENTIC'];
    const ofService = overview.warnings.filter(({ code }) => !others.includes(code));
    return ofService.map(({ code, subject }) => `${code} ${subject}`);
  };

  it('warns of each type that nobody can claim for want of terms, and of a terms service that is away', async () => {
    ground.terms.activate('7');
    expect(await warnings()).toEqual([]);
    ground.terms.withdraw();
    expect(await warnings()).toEqual([
      'NO_ACTIVE_TERMS TRADITIONAL_SIGNATURE',
      'NO_ACTIVE_TERMS TRANSACTIONAL_SIGNATURE',
    ]);
    ground.terms.activate('8');
    await ground.terms.away(async () => {
      expect(await warnings()).toEqual(['SERVICE_UNAVAILABLE terms']);
    });
  });
});
