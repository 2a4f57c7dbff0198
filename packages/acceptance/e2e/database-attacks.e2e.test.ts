import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toAppError } from '@rubrica/process/errors';
import { generateServiceKeys, loadKeyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import { signAccessToken } from '@rubrica/process/tokens';
import { disposeAfterAll } from '@rubrica/testkit';
import { createPeers, type Prove } from '@rubrica/wiring';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { readPartnerSettings, stolenBus, stolenKeys } from './support/stolen-service.ts';

/** What an attacker gets of a stack that runs with what stands in intake's tables: to change, or as a backup. */
const owned = await disposeAfterAll(new AsyncDisposableStack());

const scene = await closeAfterAll(joinScene(), ['claim_link']);
const settings = await readPartnerSettings(scene);

interface Mail {
  readonly text: string;
}
const mailsTo = async (address: string) => {
  const answer = await fetch(`${scene.stack.info().mailUrl}/messages?to=${encodeURIComponent(address)}`);
  return (await answer.json()) as Mail[];
};

/** Keys of the attacker's own, and the public keys of all, with which anybody can seal. */
async function ownKeyFiles() {
  const { privateJwks, publicJwks } = generateServiceKeys('gateway');
  const everybody = join(scene.stack.home, 'state', 'keys', 'peers.json');
  const peers = { ...JSON.parse(await readFile(everybody, 'utf8')), gateway: publicJwks };
  const [keysFile, peersFile] = [join(scene.folder, 'own.json'), join(scene.folder, 'peers.json')];
  await writeFile(keysFile, JSON.stringify(privateJwks));
  await writeFile(peersFile, JSON.stringify(peers));
  return { keysFile, peersFile };
}

/** A request that waits for its applicant, whose claim mail was sent. */
async function approved() {
  const email = `ana.${crypto.randomUUID().slice(0, 8)}@correo.example`;
  const { otp } = scene.partners;
  const { reference, requestId } = await otp.accepted({ email, password: undefined });
  await otp.reaches(reference, 'APPROVED');
  const mail = await until('the claim mail', async () => (await mailsTo(email))[0]);
  return { email, reference, requestId, token: /\/claim\/([A-Za-z0-9_-]+)/.exec(mail.text)?.[1] ?? '' };
}

async function asRole<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
  const url = new URL(scene.stack.info().databaseUrl);
  url.username = 'rubrica_intake';
  url.password = settings.database.intake?.appPassword ?? '';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(sql, [...params]);
  await client.end();
  return rows as Row[];
}

describe('intake’s database role alone: claim another’s certificate by a link of one’s own', () => {
  /** The attacker's own request with its link, which is then said to be that of another applicant's request. */
  async function linkMoved() {
    const [mine, other] = [await approved(), await approved()];
    await asRole('update request set claim_token_sha256 = null where id = $1', [mine.requestId]);
    await asRole('update request set claim_token_sha256 = $2 where id = $1', [
      other.requestId,
      sha256(mine.token),
    ]);
    return { ...other, link: `${scene.stack.info().baseUrl}/claim/${mine.token}` };
  }
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const post = async (url: string, fields: Record<string, string>, cookie = '') => {
    const headers = { accept: 'application/json', ...(cookie === '' ? {} : { cookie }) };
    const answer = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual', headers },
      body: new URLSearchParams(fields),
    });
    return { status: answer.status, body: (await answer.json().catch(() => ({}))) as { code?: string } };
  };
  const password = 'Condor de los Andes 7';
  const chosen = { password, passwordConfirmation: password, acceptTerms: 'true' };

  it('gets nothing by a link that it has moved', async () => {
    const { link, reference } = await linkMoved();
    expect((await post(`${link}/check`, { code: '000000' })).body.code).toBe('CLAIM_LINK_INVALID');
    expect((await post(link, { code: '000000', ...chosen })).body.code).toBe('CLAIM_LINK_INVALID');
    await scene.partners.otp.reaches(reference, 'APPROVED');
  });

  /** A request of another applicant, whose link is known. */
  async function linkKnown() {
    const other = await approved();
    return { ...other, link: `${scene.stack.info().baseUrl}/claim/${other.token}` };
  }

  it('gets nothing by a code whose row it has written', async () => {
    const { link, reference, requestId } = await linkKnown();
    const [id, key] = [uuidv7(), randomBytes(32)];
    const keyring = await loadKeyring(await ownKeyFiles(), 'gateway');
    await asRole(
      `insert into claim_code (id, request_id, purpose, sent_at, expires_at, digest, sealed_key)
       values ($1, $2, 'claim', now(), now() + interval '5 minutes', $3, $4)`,
      [
        ...[id, requestId],
        createHmac('sha256', key).update(`${requestId}:${id}:000000`).digest('hex'),
        await keyring.sealTo('intake', key, { purpose: 'code-key', owner: id }),
      ],
    );
    expect((await post(`${link}/check`, { code: '000000' })).body.code).toBe('OTP_EXPIRED');
    expect((await post(link, { code: '000000', ...chosen })).body.code).toBe('OTP_EXPIRED');
    await scene.partners.otp.reaches(reference, 'APPROVED');
  });

  it('gets nothing by a right whose row it has written', async () => {
    const { link, reference, requestId } = await linkKnown();
    const secret = randomBytes(32).toString('base64url');
    await asRole(
      `insert into claim_right (secret_sha256, request_id, token_sha256, purpose, expires_at)
       select $1, $2, claim_token_sha256, 'claim', now() + interval '15 minutes' from request where id = $2`,
      [sha256(secret), requestId],
    );
    const cookie = `rubrica-claim-right=${secret}`;
    expect((await post(`${link}/password`, chosen, cookie)).body.code).toBe('OTP_EXPIRED');
    await scene.partners.otp.reaches(reference, 'APPROVED');
  });
});

describe('a backup of intake’s tables and the gateway’s bus user: act as any partner', () => {
  /** With the gateway's password on the bus, keys of the attacker's own, and the public keys of all. */
  async function brokenGateway() {
    // What it says is refused, not that it is in clear.
    const bus = await stolenBus(scene, 'gateway', await stolenKeys(scene, 'gateway'));
    owned.defer(() => bus.drain());
    const keyring = await loadKeyring(await ownKeyFiles(), 'gateway');
    const prove: Prove = (caller) => {
      const options = { baseUrl: scene.stack.info().baseUrl, nowMs: Date.now(), lifeSeconds: 60 };
      const token = signAccessToken(keyring, { caller, gen: 1 }, options);
      return keyring.sealTo('intake', token, { purpose: 'door-token', owner: 'gateway' });
    };
    return { ...createPeers({ self: 'gateway', bus, prove, timeoutMs: 5_000 }), keyring };
  }
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'OK',
      (error: unknown) => toAppError(error).code,
    );

  it('gets no token by the hash of a client’s secret or of an API token, and opens no claim by a link’s', async () => {
    await approved();
    const gateway = await brokenGateway();
    const clients = await queryStack<{ clientId: string; hash: string }>(
      scene.stack,
      'select client_id as "clientId", client_secret_sha256 as hash from intake.partner where client_secret_sha256 is not null',
    );
    expect(clients.length).toBeGreaterThanOrEqual(3);
    const seal = (text: string, binding: Parameters<typeof gateway.keyring.sealTo>[2]) =>
      gateway.keyring.sealTo('intake', text, binding);
    for (const { clientId, hash } of clients) {
      const sealed = await seal(hash, { purpose: 'entered-client-secret', owner: clientId });
      for (const sealedSecret of [hash, sealed]) {
        const asked = gateway.intake['tokens.issue']({ clientId, sealedSecret });
        expect(await codeOf(asked)).toBe('UNAUTHENTICATED');
      }
    }
    const links = await queryStack<{ hash: string }>(
      scene.stack,
      'select claim_token_sha256 as hash from intake.request where claim_token_sha256 is not null limit 5',
    );
    expect(links).not.toEqual([]);
    for (const { hash } of links) {
      const token = await seal(hash, { purpose: 'entered-token', owner: 'gateway' });
      const exchanged = gateway.intake['tokens.exchange']({ sealedToken: token });
      expect(await codeOf(exchanged)).toBe('UNAUTHENTICATED');
      const link = await seal(hash, { purpose: 'claim-token', owner: 'gateway' });
      expect(await codeOf(gateway.intake['claims.view']({ sealedToken: link }))).toBe('CLAIM_LINK_INVALID');
    }
  });

  it('gets a token by the secret itself: the calls are right, only hashes are no credentials', async () => {
    const gateway = await brokenGateway();
    const { clientId, clientSecret } = scene.stack.info().partners.sandbox;
    const binding = { purpose: 'entered-client-secret', owner: clientId } as const;
    const sealedSecret = await gateway.keyring.sealTo('intake', clientSecret, binding);
    expect(await codeOf(gateway.intake['tokens.issue']({ clientId, sealedSecret }))).toBe('OK');
  });

  it('gets nothing by saying who calls, which the gateway’s keys sign and not its bus user', async () => {
    const { reference } = await scene.partners.sandbox.accepted();
    const gateway = await brokenGateway();
    const [partner] = await queryStack<{ partnerId: string; clientId: string }>(
      scene.stack,
      'select id as "partnerId", client_id as "clientId" from intake.partner where client_id = $1',
      [scene.stack.info().partners.sandbox.clientId],
    );
    const caller = { kind: 'partner', scopes: ['status:read'], ...partner } as never;
    const asked = gateway.intake['requests.status'](
      { family: 'TV', referenceTransaction: reference } as never,
      { for: caller },
    );
    expect(await codeOf(asked)).toBe('UNAUTHENTICATED');
  });
});
