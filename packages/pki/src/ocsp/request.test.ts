import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeIssuing, makeRoot, type TestAuthority } from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { encodeExtension } from '../certificate/extensions.ts';
import { encodeExplicit, integer, octetString, sequence } from '../der/write.ts';
import { oids } from '../oids.ts';
import {
  encodeCertId,
  isIssuedBy,
  issuerHashes,
  type OcspHashAlgorithm,
  ocspHashAlgorithms,
} from './cert-id.ts';
import { MAX_OCSP_REQUEST_BYTES, ocspRequest, parseOcspRequest } from './request.ts';
import { ocspResponseTbs } from './response.ts';

let root: TestAuthority;
let issuing: TestAuthority;

beforeAll(async () => {
  root = await makeRoot();
  issuing = await makeIssuing(root);
});

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

const certIdOf = (serial: string, hash: OcspHashAlgorithm = 'sha1', parameters?: 'null' | 'absent') =>
  encodeCertId({ issuer: issuerHashes(issuing.parsed), hash, serial, parameters });

describe('an OCSP request', () => {
  it('gives back certificates and nonce', () => {
    const nonce = randomBytes(32);
    const certIds = [certIdOf('4A3B'), certIdOf('00FF', 'sha256')];
    const read = parseOcspRequest(ocspRequest({ certIds, nonce }));
    if (!read.ok) throw new Error(read.error.reason);
    expect(read.value.signed).toBe(false);
    expect(hex(read.value.nonce)).toBe(hex(nonce));
    expect(read.value.certIds.map(({ raw }) => hex(raw))).toEqual(certIds.map(hex));
    expect(read.value.certIds.map(({ hash, serial }) => [hash, serial])).toEqual([
      ['sha1', '4A3B'],
      ['sha256', '00FF'],
    ]);
  });

  it.each(ocspHashAlgorithms)('names its issuer by %s and no other authority', (hash) => {
    const read = parseOcspRequest(ocspRequest({ certIds: [certIdOf('4A3B', hash)] }));
    if (!read.ok) throw new Error(read.error.reason);
    const [certId] = read.value.certIds;
    expect(certId && isIssuedBy(certId, issuerHashes(issuing.parsed))).toBe(true);
    expect(certId && isIssuedBy(certId, issuerHashes(root.parsed))).toBe(false);
    const rekeyed = { ...issuing.parsed, publicKey: root.parsed.publicKey };
    expect(certId && isIssuedBy(certId, issuerHashes(rekeyed))).toBe(false);
    const renamed = { ...issuing.parsed, subject: root.parsed.subject };
    expect(certId && isIssuedBy(certId, issuerHashes(renamed))).toBe(false);
  });

  it.each(
    ocspHashAlgorithms.flatMap((hash) => (['null', 'absent'] as const).map((form) => [hash, form] as const)),
  )(
    'by %s with parameters that are %s says so, and can be written again as it was sent',
    (hash, parameters) => {
      const sent = certIdOf('4A3B', hash, parameters);
      const read = parseOcspRequest(ocspRequest({ certIds: [sent] }));
      if (!read.ok) throw new Error(read.error.reason);
      const [certId] = read.value.certIds;
      expect(certId).toMatchObject({ hash, parameters });
      expect(hex(certId?.raw)).toBe(hex(sent));
      expect(sent.length).toBe(certIdOf('4A3B', hash).length - (parameters === 'null' ? 0 : 2));
    },
  );

  it('with parameters that no hash has is about the same issuer', () => {
    const odd = Buffer.from(certIdOf('4A3B', 'sha256'));
    odd[odd.indexOf(Buffer.from('04020105', 'hex')) + 3] = 0x04;
    const read = parseOcspRequest(ocspRequest({ certIds: [odd] }));
    if (!read.ok) throw new Error(read.error.reason);
    const [certId] = read.value.certIds;
    expect(certId).toMatchObject({ hash: 'sha256', parameters: 'other' });
    expect(certId && isIssuedBy(certId, issuerHashes(issuing.parsed))).toBe(true);
  });

  it('by a hash that is not in use names no issuer', () => {
    const other = Buffer.from(certIdOf('4A3B'));
    // The last octet of SHA-1's identifier, 1.3.14.3.2.26.
    other[other.indexOf(Buffer.from('2b0e03021a', 'hex')) + 4] = 0x12;
    const read = parseOcspRequest(ocspRequest({ certIds: [other] }));
    if (!read.ok) throw new Error(read.error.reason);
    const [certId] = read.value.certIds;
    expect(certId).toMatchObject({ hash: undefined, serial: '4A3B' });
    expect(certId && isIssuedBy(certId, issuerHashes(issuing.parsed))).toBe(false);
  });

  const requestWith = (extension: { oid: string; critical: boolean; value: Uint8Array }) =>
    parseOcspRequest(
      sequence(
        sequence(
          sequence(sequence(certIdOf('4A3B'))),
          encodeExplicit(2, sequence(encodeExtension(extension))),
        ),
      ),
    );

  it.each([
    [0, false],
    [1, true],
    [128, true],
    [129, false],
  ])('with a nonce of %i octets: accepted is %s', (length, accepted) => {
    const value = octetString(new Uint8Array(length));
    expect(requestWith({ oid: oids.ocspNonce, critical: false, value }).ok).toBe(accepted);
  });

  it('may have a critical nonce', () => {
    const value = octetString(new Uint8Array(16));
    expect(requestWith({ oid: oids.ocspNonce, critical: true, value })).toMatchObject({ ok: true });
  });

  it('may have extensions nobody knows, unless they are critical', () => {
    const extension = { oid: '1.3.6.1.5.5.7.48.1.99', value: octetString(new Uint8Array(1)) };
    expect(requestWith({ ...extension, critical: false })).toMatchObject({ ok: true });
    expect(requestWith({ ...extension, critical: true })).toMatchObject({
      ok: false,
      error: { reason: 'critical extension 1.3.6.1.5.5.7.48.1.99 is not known' },
    });
  });

  const certIds = (count: number) => Array.from({ length: count }, () => certIdOf('4A3B'));

  it.each([
    ['about nothing', () => ocspRequest({ certIds: [] })],
    ['about seventeen certificates', () => ocspRequest({ certIds: certIds(17) })],
    ['of more octets than any', () => new Uint8Array(MAX_OCSP_REQUEST_BYTES + 1)],
    [
      'of another version',
      () => sequence(sequence(encodeExplicit(0, integer(1)), sequence(sequence(certIdOf('4A3B'))))),
    ],
    ['about a negative serial number', () => ocspRequest({ certIds: [negative(certIdOf('7A'))] })],
    ['about a serial number of 22 octets', () => ocspRequest({ certIds: [longSerial(certIdOf('7A'))] })],
    ['that is empty', () => new Uint8Array()],
  ])('%s is refused', (_, make) => {
    expect(parseOcspRequest(make())).toMatchObject({ ok: false, error: { code: 'MALFORMED' } });
  });

  it('about sixteen certificates is read', () => {
    expect(parseOcspRequest(ocspRequest({ certIds: certIds(16) }))).toMatchObject({ ok: true });
  });

  it('damaged in 5,000 ways gives a value, never an exception', () => {
    const good = ocspRequest({
      certIds: [certIdOf('4A3B'), certIdOf('5A', 'sha256')],
      nonce: randomBytes(32),
    });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: mutated(good) }, fc.uint8Array({ maxLength: 300 })),
        (bytes) => {
          const read = parseOcspRequest(bytes);
          seen.add(read.ok);
          if (!read.ok) {
            expect(read.error.code).toBe('MALFORMED');
            return;
          }
          // What was read can be answered: nothing in it makes the writer throw.
          const now = new Date('2027-01-01T00:00:00Z');
          const times = { thisUpdate: now, nextUpdate: now };
          const tbs = ocspResponseTbs({
            responderKeyId: new Uint8Array(20),
            producedAt: now,
            responses: read.value.certIds.map(({ raw }) => ({ certId: raw, status: 'unknown', ...times })),
            nonce: read.value.nonce,
          });
          expect(tbs.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 5000 },
    );
    expect(seen).toEqual(new Set([true, false]));
  });
});

/** The CertID again, its serial number -6. */
function negative(certId: Uint8Array): Uint8Array {
  return Buffer.concat([certId.subarray(0, -1), Buffer.from('fa', 'hex')]);
}

function longSerial(certId: Uint8Array): Uint8Array {
  return sequence(certId.subarray(2, -3), Buffer.from(`0216${'7a'.repeat(22)}`, 'hex'));
}
