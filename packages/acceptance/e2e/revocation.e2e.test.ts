import { randomInt, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClaimClient, makeCedula } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { byTwoAdministrators } from './support/operator-actor.ts';
import { until } from './support/poll.ts';
import { parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { runProgram } from './support/shell.ts';

const file = (name: string) => join(scene.folder, name);
const openssl = async (...args: string[]) => {
  const { code, stdout, stderr } = await runProgram('openssl', args, { cwd: scene.folder });
  return { code, text: stdout + stderr };
};
const download = async (url: string) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
};

/** What the embedded stack promises for CRL and OCSP. */
const promisedMs = 5_000;

const scene = await closeAfterAll(joinScene());
const { pki } = scene.stack.info();
for (const name of ['root', 'issuing'] as const) {
  const { bytes } = await download(pki[name]);
  await writeFile(file(`${name}.pem`), new X509Certificate(bytes).toString());
}

async function operators() {
  const { operators, trpcUrl } = scene.stack.info();
  const call = async (path: string, input: object, token?: string) => {
    const response = await fetch(`${trpcUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(input),
    });
    const body = (await response.json()) as { result?: { data: Record<string, unknown> }; error?: unknown };
    if (body.result === undefined) throw new Error(JSON.stringify(body.error));
    return body.result.data;
  };
  const { accessToken } = await call('auth.signIn', operators.admin);
  const token = String(accessToken);
  return {
    change: (path: string, input: object) => call(path, input, token),
    async pemOf(serialNumber: string) {
      const url = new URL(`${trpcUrl}/certificates.get`);
      url.searchParams.set('input', JSON.stringify({ serialNumber }));
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { result: { data: { pem: string } } }).result.data.pem;
    },
  };
}

/** A certificate of the sandbox partner, its public file beside the authorities'. */
async function generated(fields: Readonly<Record<string, unknown>> = {}) {
  const { sandbox } = scene.partners;
  const { reference } = await sandbox.accepted(fields);
  const { serialNumber } = await sandbox.reaches(reference, 'GENERATED');
  if (serialNumber === null) throw new Error('a generated request has a serial number');
  await writeFile(file(`${serialNumber}.pem`), await (await operators()).pemOf(serialNumber));
  return { reference, serialNumber };
}

const revoke = (body: object, token = scene.partners.sandbox.token) =>
  scene.call({ path: '/manager/certificate/revoke', token, body });

const askOcsp = (serialNumber: string, ...options: string[]) =>
  openssl(
    ...['ocsp', '-url', scene.stack.info().pki.ocsp, '-CAfile', 'root.pem', '-verify_other', 'issuing.pem'],
    ...['-issuer', 'issuing.pem', ...options, '-cert', `${serialNumber}.pem`],
  );

async function verify(serialNumber: string) {
  const { crl, root } = scene.stack.info().pki;
  const lists = { issuing: crl, root: root.replace(/\.cer$/, '.crl') };
  for (const [name, url] of Object.entries(lists)) {
    await writeFile(file(`${name}.crl`), (await download(url)).bytes);
    await openssl('crl', '-inform', 'DER', '-in', `${name}.crl`, '-out', `${name}.crl.pem`);
  }
  return openssl(
    ...['verify', '-crl_check_all', '-CAfile', 'root.pem', '-untrusted', 'issuing.pem'],
    ...['-CRLfile', 'issuing.crl.pem', '-CRLfile', 'root.crl.pem', `${serialNumber}.pem`],
  );
}

/** Waits, for no longer than is promised, until a verifier who reads the CRLs refuses the certificate. */
function inCrl(serialNumber: string, revokedAt: number) {
  return until(
    'the CRL',
    async () => {
      const verified = await verify(serialNumber);
      return verified.code === 0 ? undefined : verified;
    },
    { deadlineMs: promisedMs - (performance.now() - revokedAt) },
  );
}

describe('a revocation over REST', () => {
  it('shows in status at once, in OCSP and CRL within the promise, as OpenSSL sees it', async () => {
    const { sandbox } = scene.partners;
    const [one, other] = [await generated(), await generated()];
    expect((await askOcsp(one.serialNumber)).text).toContain(`${one.serialNumber}.pem: good`);
    expect((await verify(one.serialNumber)).text).toContain(': OK');

    const answer = await revoke({ serialNumber: one.serialNumber, reason: 'keyCompromise' });
    const revokedAt = performance.now();
    expect(answer).toMatchObject({
      status: 200,
      body: {
        serialNumber: one.serialNumber,
        status: 'REVOKED',
        revocationReason: 'keyCompromise',
        revokedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000$/),
      },
    });
    expect(await sandbox.view(one.reference)).toMatchObject({
      status: 'GENERATED',
      serialNumber: one.serialNumber,
      certificateStatus: 'REVOKED',
    });
    for (const nonce of [[], ['-no_nonce'], ['-no_nonce', '-sha256']]) {
      const { text } = await askOcsp(one.serialNumber, ...nonce);
      expect(text).toContain('Response verify OK');
      expect(text).toContain(`${one.serialNumber}.pem: revoked`);
      expect(text).toContain('Reason: keyCompromise');
    }
    const refused = await inCrl(one.serialNumber, revokedAt);
    expect(refused.text).toContain('certificate revoked');
    expect((await verify(other.serialNumber)).text).toContain(': OK');

    const again = await revoke({ referenceTransaction: one.reference, reason: 'superseded' });
    expect(again.status).toBe(409);
    expect(parseErrorAnswer(again).code).toBe('CERTIFICATE_ALREADY_REVOKED');
  });

  it('of another partner’s certificate is 404 and changes nothing', async () => {
    const { serialNumber, reference } = await generated();
    const { token } = scene.partners.other;
    const bySerial = await revoke({ serialNumber, reason: 'superseded' }, token);
    expect([bySerial.status, parseErrorAnswer(bySerial).code]).toEqual([404, 'CERTIFICATE_NOT_FOUND']);
    expect((await revoke({ referenceTransaction: reference, reason: 'superseded' }, token)).status).toBe(404);
    expect((await scene.partners.sandbox.view(reference)).certificateStatus).toBe('VALID');
  });
});

describe('a subscriber who revokes at /revoke', () => {
  it('is believed by a code to the telephone on file, in the browser that asked; status, OCSP and CRL show it', async () => {
    const { baseUrl, mailUrl } = scene.stack.info();
    const applicant = {
      identificationNumber: makeCedula(),
      cellphoneNumber: `+5939${String(randomInt(1e8)).padStart(8, '0')}`,
    };
    const { serialNumber, reference } = await generated(applicant);
    expect((await askOcsp(serialNumber, '-no_nonce')).text).toContain(`${serialNumber}.pem: good`);

    const { identificationNumber } = applicant;
    const send = async (path: string, fields: Readonly<Record<string, string>>, cookie = '') => {
      const answer = await fetch(baseUrl + path, {
        method: 'POST',
        headers: { 'accept-language': 'en', cookie },
        body: new URLSearchParams({ identificationNumber, serialNumber, ...fields }),
      });
      const [given = ''] = answer.headers.getSetCookie();
      return { status: answer.status, page: await answer.text(), cookie: given.split(';')[0] };
    };
    const asked = await send('/revoke/code', {});
    expect(asked.status).toBe(200);
    const { cookie } = asked;
    const code = await createClaimClient({ link: baseUrl }).readCode(mailUrl, applicant.cellphoneNumber);
    const wrong = code === '000000' ? '000001' : '000000';
    const elsewhere = await send('/revoke/code', {});
    expect((await send('/revoke', { code, reason: 'keyCompromise' }, elsewhere.cookie)).status).toBe(400);
    expect((await send('/revoke', { code, reason: 'keyCompromise' })).status).toBe(400);
    expect((await send('/revoke', { code: wrong, reason: 'keyCompromise' }, cookie)).status).toBe(400);
    expect((await scene.partners.sandbox.view(reference)).certificateStatus).toBe('VALID');

    const done = await send('/revoke', { code, reason: 'keyCompromise' }, cookie);
    const revokedAt = performance.now();
    expect(done).toMatchObject({ status: 200, page: expect.stringContaining('Your certificate is revoked') });
    expect(await scene.partners.sandbox.view(reference)).toMatchObject({ certificateStatus: 'REVOKED' });
    const { text } = await askOcsp(serialNumber, '-no_nonce');
    expect(text).toContain(`${serialNumber}.pem: revoked`);
    expect(text).toContain('Reason: keyCompromise');
    expect((await inCrl(serialNumber, revokedAt)).text).toContain('certificate revoked');
  });
});

describe('an operator’s hold', () => {
  it('shows as a revocation until it is released', async () => {
    const { serialNumber, reference } = await generated();
    const { change } = await operators();
    await change('certificates.hold', { serialNumber, reason: 'reported as lost' });
    expect((await scene.partners.sandbox.view(reference)).certificateStatus).toBe('REVOKED');
    expect((await askOcsp(serialNumber)).text).toContain('Reason: certificateHold');
    await byTwoAdministrators(scene.stack.info(), 'certificates.release', { serialNumber, reason: 'found' });
    expect((await scene.partners.sandbox.view(reference)).certificateStatus).toBe('VALID');
    expect((await askOcsp(serialNumber, '-no_nonce')).text).toContain(`${serialNumber}.pem: good`);
  });
});

describe('caches', () => {
  it('may keep a CRL and an OCSP answer for no longer than the promise', async () => {
    const { crl } = scene.stack.info().pki;
    const maxAge = (headers: Headers) =>
      Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? Number.NaN);
    const list = await download(crl);
    expect(list.headers.get('content-type')).toBe('application/pkix-crl');
    expect(maxAge(list.headers)).toBeLessThanOrEqual(promisedMs / 1_000);
    const { serialNumber } = await generated();
    await askOcsp(serialNumber, '-no_nonce', '-reqout', 'request.der');
    const request = (await readFile(file('request.der'))).toString('base64');
    const answer = await download(`${scene.stack.info().pki.ocsp}/${encodeURIComponent(request)}`);
    expect(answer.headers.get('content-type')).toBe('application/ocsp-response');
    expect(maxAge(answer.headers)).toBeLessThanOrEqual(promisedMs / 1_000);
    await writeFile(file('response.der'), answer.bytes);
    const { text } = await openssl('ocsp', '-respin', 'response.der', '-resp_text', '-noverify');
    expect(text).toContain('Cert Status: good');
  });
});
