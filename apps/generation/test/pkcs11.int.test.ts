import { generateKeyPairSync, verify } from 'node:crypto';
import { join } from 'node:path';
import { uuidv7 } from '@rubrica/process/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { readAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { createAuthorities } from '../src/issuers/authorities/make-authority.ts';
import { createSealedKeys } from '../src/issuers/local/sealed-keys.ts';
import { loadCryptoki } from '../src/issuers/pkcs11/cryptoki.ts';
import { createToken, type Token } from '../src/issuers/pkcs11/token.ts';
import { createTokenKeys } from '../src/issuers/pkcs11/token-keys.ts';
import { ca } from './support/ca.ts';
import { issued, pemOf, publishedPem } from './support/issued-certificates.ts';
import { type OpenSsl, openSsl } from './support/openssl.ts';
import { makeOrder } from './support/orders.ts';
import { openScene, type Scene } from './support/scene.ts';
import { missingSoftHsm, type SoftHsm, softHsm } from './support/softhsm.ts';
import { announce, holdCeremony, type Places } from './support/two-places.ts';

const timeoutMs = 10_000;

describe.skipIf(missingSoftHsm)(missingSoftHsm ?? 'a token', () => {
  let hsm: SoftHsm;
  let openssl: OpenSsl;
  let token: Token;

  const withPin = async (pin: string) => {
    const cryptoki = await loadCryptoki(hsm.module);
    const opened = createToken(cryptoki, { label: hsm.label, pin, timeoutMs });
    return { token: opened, keys: createTokenKeys({ cryptoki, token: opened, labelPrefix: 'test' }) };
  };

  beforeAll(async () => {
    hsm = await softHsm();
    openssl = await openSsl();
    token = (await withPin(hsm.pin)).token;
  });
  afterAll(async () => {
    await token?.close();
    await openssl?.[Symbol.asyncDispose]();
    await hsm?.[Symbol.asyncDispose]();
  });

  it.each(['RSA_2048', 'RSA_3072', 'P_256'] as const)(
    'makes %s keys whose certificates OpenSSL verifies',
    async (keyAlgorithm) => {
      const { keys, token: used } = await withPin(hsm.pin);
      const local = createSealedKeys({ sealTo: async () => 'sealed', open: async () => Buffer.alloc(0) });
      const records = await createAuthorities({
        organization: 'Rubrica (testing only)',
        commonName: 'Rubrica Test',
        keyAlgorithm,
        pkiBaseUrl: 'http://pki.example.test',
        now: new Date(),
        keys: { authorities: keys, responders: local },
      });
      await used.close();
      const [root, issuing] = records;
      expect([root?.key.kind, issuing?.key.kind, issuing?.responder?.key.kind]).toEqual([
        'pkcs11',
        'pkcs11',
        'sealed',
      ]);
      const files = {
        root: root?.certificate,
        issuing: issuing?.certificate,
        ocsp: issuing?.responder?.certificate,
      };
      for (const [name, certificate] of Object.entries(files)) {
        const der = await openssl.put(`${name}.der`, Buffer.from(certificate ?? '', 'base64'));
        await openssl.run('x509', '-inform', 'DER', '-in', der, '-out', `${name}.pem`);
      }
      const above = ['-x509_strict', '-CAfile', 'root.pem', '-untrusted', 'issuing.pem'];
      expect((await openssl.run('verify', ...above, 'issuing.pem')).text).toBe('issuing.pem: OK\n');
      expect((await openssl.run('verify', ...above, 'ocsp.pem')).text).toBe('ocsp.pem: OK\n');
    },
  );

  it('signs on when its sessions were ended underneath, many at once', async () => {
    const { keys, token: used } = await withPin(hsm.pin);
    const { publicKey, sign } = await keys.make('lost', 'P_256');
    for (let round = 0; round < 5; round++) {
      const data = Array.from({ length: 20 }, (_, index) => Buffer.from(`${round} ${index}`));
      const signatures = Promise.all(data.map(sign));
      hsm.loseSessions();
      const checked = (await signatures).map((signature, index) =>
        verify('sha256', data[index] ?? Buffer.alloc(0), publicKey, signature),
      );
      expect(checked).toEqual(data.map(() => true));
    }
    await used.close();
  });

  it('is unavailable while it is away, and signs when it is back', async () => {
    const { keys, token: used } = await withPin(hsm.pin);
    const { publicKey, reference, sign } = await keys.make('away', 'P_256');
    const data = Buffer.from('data');
    await hsm.takeAway();
    await expect(sign(data)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    // What a service does that starts meanwhile.
    const opened = await keys.open(reference, publicKey);
    await hsm.bringBack();
    expect(verify('sha256', data, publicKey, await opened(data))).toBe(true);
    await used.close();
  });

  it('says at once that a PIN is wrong, a key is missing or another one’s', async () => {
    const { keys, token: used } = await withPin(hsm.pin);
    const { publicKey, reference } = await keys.make('mine', 'P_256');
    const other = await keys.make('other', 'P_256');
    await expect(keys.open(reference, other.publicKey)).rejects.toThrow("not its certificate's");
    const absent = { kind: 'pkcs11' as const, label: 'nobody' };
    await expect(keys.open(absent, publicKey)).rejects.toThrow('no private key labelled "nobody"');
    await used.close();
    // The login of one session is that of all: where one is logged in, no PIN is asked for.
    hsm.loseSessions();
    const wrong = await withPin('not the pin');
    await expect(wrong.keys.open(reference, publicKey)).rejects.toThrow('C_Login: CKR_PIN_INCORRECT');
  });

  it.each(['RSA_2048', 'P_256'] as const)(
    'signs nothing for a service while it holds the root’s %s key, also when it comes later',
    async (algorithm) => {
      const { keys, token: used } = await withPin(hsm.pin);
      const root = await keys.make('root', algorithm);
      const { publicKey, reference } = await keys.make('issuing', algorithm);
      const away = { notBeside: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey] };
      const here = { notBeside: [root.publicKey] };
      await keys.open(reference, publicKey, away);
      await expect(keys.open(reference, publicKey, here)).rejects.toThrow('root and service share it');
      await expect(keys.make('next', algorithm, here)).rejects.toThrow('root and service share it');
      await hsm.takeAway();
      const sign = await keys.open(reference, publicKey, here);
      await hsm.bringBack();
      await expect(sign(Buffer.from('data'))).rejects.toThrow('root and service share it');
      await used.close();
    },
  );

  describe('as the issuer of a service', () => {
    let scene: Scene;
    let settings: Record<string, string>;
    let places: Places;

    beforeAll(async () => {
      scene = await openScene(async ({ env, authorityDirectory }) => {
        settings = {
          ...env,
          ...hsm.settings,
          CA_DIRECTORY: join(authorityDirectory, 'hsm'),
          CA_KEY_ALGORITHM: 'P_256',
        };
        const root = {
          ...hsm.rootSettings,
          ROOT_DIRECTORY: join(authorityDirectory, 'root'),
          PKI_BASE_URL: env.PKI_BASE_URL ?? env.BASE_URL ?? '',
          CA_KEY_ALGORITHM: 'P_256',
        };
        places = { root, service: settings, folder: join(authorityDirectory, 'stick') };
        await holdCeremony(places);
        return settings;
      });
      await openssl.put('hsm-root.pem', await publishedPem(scene, 'root.cer'));
      await openssl.put('hsm-issuing.pem', await publishedPem(scene, 'issuing.cer'));
    });
    afterAll(() => scene?.[Symbol.asyncDispose]());

    const byOpenSsl = async (certificate: Parameters<typeof pemOf>[1]) => {
      await openssl.put('subscriber.pem', await pemOf(scene, certificate));
      const { text } = await openssl.run(
        ...['verify', '-CAfile', 'hsm-root.pem', '-untrusted', 'hsm-issuing.pem', 'subscriber.pem'],
      );
      return text;
    };

    it('keeps no key of an authority in the file, and no PIN', async () => {
      const file = await readAuthorityFile(settings.CA_DIRECTORY ?? '');
      expect(file?.authorities.map(({ key }) => key.kind)).toEqual(['elsewhere', 'pkcs11']);
      expect(JSON.stringify(file)).not.toContain(hsm.pin);
      const { said } = await ca(settings, 'status');
      expect(said).toMatch(/in the token, labelled rubrica-issuing-[0-9a-f]{6}/);
      expect(said).not.toContain(hsm.pin);
    });

    it('issues certificates that OpenSSL verifies, also after its sessions were lost', async () => {
      expect(await byOpenSsl(await issued(scene))).toBe('subscriber.pem: OK\n');
      hsm.loseSessions();
      expect(await byOpenSsl(await issued(scene))).toContain('subscriber.pem: OK');
    });

    it('lets orders wait while the token is away, and issues them when it is back', async () => {
      await hsm.takeAway();
      const job = { requestId: uuidv7(), attempt: 1 };
      scene.env.intake.place(makeOrder(job));
      await scene.env.intake.publishJob(job);
      const intended = `select 1 from generation.issuance join generation.serial_number using (request_id, attempt)
        where request_id = $1 and issuance.state = 'PENDING' and lease_until is null`;
      await expect.poll(() => scene.env.database.query(intended, [job.requestId])).not.toEqual([]);
      expect(scene.log.of(job.requestId)).toEqual([]);
      await hsm.bringBack();
      await expect.poll(() => scene.log.of(job.requestId).map(({ subject }) => subject)).toEqual(['issued']);
      expect(await scene.liveCertificates(job.requestId)).toBe(1);
    });

    it('is not the token of the root, nor one that the root shares', async () => {
      const { PKCS11_TOKEN_LABEL = '', PKCS11_PIN = '' } = hsm.rootSettings;
      const named = { ...settings, PKCS11_TOKEN_LABEL, PKCS11_PIN };
      await expect(scene.env.start(named)).rejects.toThrow('root and service share it');
      // Nor does the ceremony make or install an issuing key there.
      const refused = { code: 1, said: expect.stringContaining('root and service share it') };
      expect(await ca(named, 'request', places.folder)).toMatchObject(refused);
      // As one would who had both roles on one token: the first request knows of no root yet.
      const shared = { ...named, CA_DIRECTORY: join(places.folder, 'shared'), CA_COMMON_NAME: 'Otra' };
      const { digest } = await announce(shared, places.folder);
      const file = join(places.folder, 'issuing-request.pem');
      const args = ['root', 'sign', file, places.folder, '--sha256', digest, '--may-differ', 'name'];
      expect(await ca(places.root, ...args)).toMatchObject(refused);
    });

    it('needs its settings in the service', async () => {
      const { PKCS11_PIN: _, ...without } = settings;
      expect(readConfig(without).authority.token.pin).toBeUndefined();
      await expect(scene.env.start({ ...without, PKCS11_PIN: '' })).rejects.toThrow(
        'PKCS11_MODULE, PKCS11_TOKEN_LABEL and PKCS11_PIN are required',
      );
    });
  });
});
