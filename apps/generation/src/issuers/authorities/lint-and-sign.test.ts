import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  authorityProfiles,
  keySigner,
  SERIAL_RANDOM_BYTES,
  serialFromRandom,
  type ToBeSigned,
} from '@rubrica/pki';
import { expect, it } from 'vitest';
import { certify } from './lint-and-sign.ts';
import { buildAuthorityName, buildAuthorityTbs, createAuthorityExpectation } from './make-authority.ts';

it('asks no key to sign what breaks a rule', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const plan = {
    profile: authorityProfiles.root,
    subject: buildAuthorityName('Ejemplo S.A.', 'Firma Ejemplo Root CA'),
    publicKey,
    keyAlgorithm: 'P_256' as const,
    parent: undefined,
    pkiBaseUrl: 'http://pki.example.test',
  };
  const validity = {
    notBefore: new Date('2027-01-01T00:00:00Z'),
    notAfter: new Date('2037-01-01T00:00:00Z'),
  };
  const tbs = buildAuthorityTbs(plan, {
    serial: serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES)),
    validity,
  });
  let signed = 0;
  const by = {
    publicKey,
    signatureAlgorithm: 'ecdsa-with-SHA256' as const,
    sign: (octets: ToBeSigned) => {
      signed += 1;
      return keySigner(privateKey)(octets);
    },
  };
  const other = createAuthorityExpectation(
    { ...plan, profile: authorityProfiles.issuing },
    validity.notAfter,
  );
  await expect(certify(tbs, by, other)).rejects.toThrow('path_length_of_profile');
  expect(signed).toBe(0);
  await certify(tbs, by, createAuthorityExpectation(plan, validity.notAfter));
  expect(signed).toBe(1);
});
