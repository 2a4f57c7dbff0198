import { generateKeyPairSync } from 'node:crypto';
import { keySigner, type Signer } from '@rubrica/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeOrder } from '../../test/support/orders.ts';
import { createAuthorities } from '../issuers/authorities/make-authority.ts';
import { openAuthorities } from '../issuers/authorities/open-authorities.ts';
import type { Issuer } from '../issuers/issuer.ts';
import { createSealedKeys } from '../issuers/local/sealed-keys.ts';
import { planCertificate } from './plan-certificate.ts';
import { createThrowAwaySigners, drawSerial, rehearse, type SigningContext, signLinted } from './rehearse.ts';

let issuer: Issuer;
let tbs: Uint8Array;

const subscriberKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' });

function authoring(changed: Partial<SigningContext> = {}): SigningContext {
  return {
    issuer,
    publication: (crlShard) => ({
      policyArc: '1.3.6.1.4.1.32473.1',
      caIssuersUri: 'http://pki.example.test/pki/issuing.cer',
      crlUri: `http://pki.example.test/pki/issuing-s${crlShard}.crl`,
      ocspUri: 'http://pki.example.test/pki/ocsp',
      documentSigning: false,
      identityFields: { form: 'extensions', arc: '1.3.6.1.4.1.32473.1.3', named: [] },
    }),
    crlShards: 4,
    rucPrefix: 'VATEC',
    keyAlgorithm: 'P_256',
    throwAway: createThrowAwaySigners()(issuer),
    warn: (findings) => {
      throw new Error(findings);
    },
    ...changed,
  };
}

const job = { requestId: '0199aa00-0000-7000-8000-000000000001', attempt: 1 };

const rehearsal = (changed: Partial<SigningContext> = {}) =>
  rehearse(
    authoring(changed),
    planCertificate(makeOrder(job, { subject: { companyRuc: '1710034065001' } }), {
      now: new Date(),
      timeZone: 'America/Guayaquil',
      issuerNotAfter: issuer.certificate.notAfter.date,
      rucPrefix: changed.rucPrefix ?? 'VATEC',
      subjectEmail: true,
      privateFields: [],
    }),
    { serial: drawSerial().bytes, spki: subscriberKey(), crlShard: 3 },
  );

beforeAll(async () => {
  const keys = createSealedKeys({
    sealTo: async (_, key) => Buffer.from(key).toString('base64'),
    open: async (sealed) => Buffer.from(sealed, 'base64'),
  });
  const records = await createAuthorities({
    organization: 'Rubrica (testing only)',
    commonName: 'Rubrica Test',
    keyAlgorithm: 'P_256',
    pkiBaseUrl: 'http://pki.example.test',
    now: new Date(Date.now() - 60_000),
    keys: { authorities: keys, responders: keys },
  });
  const { issuing } = await openAuthorities(records, { keys, now: new Date() });
  if (issuing[0] === undefined) throw new Error('no authority');
  issuer = issuing[0].issuer;
  tbs = await rehearsal();
});

describe('the rehearsal', () => {
  it('never touches the key of the authority', async () => {
    const untouchable: Signer = () => Promise.reject(new Error('touched'));
    await expect(rehearsal({ issuer: { ...issuer, sign: untouchable } })).resolves.toBeInstanceOf(Uint8Array);
  });

  it('stops what the linter objects to, and says which rule', async () => {
    const fault = await rehearsal({ keyAlgorithm: 'RSA_2048' }).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: 'CERTIFICATE_LINT_FAILED',
      reason: expect.stringContaining('key_type_and_size'),
    });
  });
});

describe('a rehearsal that the linter warns of', () => {
  it('is not stopped, and the warning is heard', async () => {
    const heard: string[] = [];
    const warn = (findings: string) => void heard.push(findings);
    await expect(rehearsal({ rucPrefix: 'RUCEC', warn })).resolves.toBeInstanceOf(Uint8Array);
    expect(heard).toEqual([expect.stringMatching(/^subject_organization_identifier_scheme: /)]);
  });
});

describe('the real signature', () => {
  const refused = (sign: Signer) => signLinted({ ...issuer, sign }, tbs).catch((error: unknown) => error);

  it('is over the linted bytes and verifies', async () => {
    const certificate = await signLinted(issuer, tbs);
    expect(Buffer.from(certificate.tbs).equals(tbs)).toBe(true);
  });

  it('of another key is found out', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(await refused(keySigner(other))).toMatchObject({ code: 'CERTIFICATE_SIGNING_FAILED' });
  });

  it('over other bytes is found out', async () => {
    const elsewhere = Uint8Array.from(tbs);
    elsewhere[elsewhere.length - 1] = (elsewhere.at(-1) ?? 0) ^ 1;
    expect(await refused(() => issuer.sign(elsewhere))).toMatchObject({
      reason: 'the signature does not verify',
    });
  });

  it('that is no certificate at all is found out', async () => {
    const broken = { ...issuer, sign: async () => Buffer.alloc(70_000) };
    await expect(signLinted(broken, tbs)).rejects.toThrow('CERTIFICATE_SIGNING_FAILED');
  });
});
