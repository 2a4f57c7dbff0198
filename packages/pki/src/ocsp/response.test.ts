import { createPublicKey, randomBytes, verify } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeIssuing,
  makeKey,
  makeResponder,
  makeRoot,
  type TestAuthority,
  type TestResponder,
} from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { keySigner } from '../certificate/key-signer.ts';
import { revocationReasons } from '../crl/revocation-reasons.ts';
import { encodeCertId, issuerHashes, responderKeyId } from './cert-id.ts';
import { parseOcspResponse } from './parse-response.ts';
import { type OcspStatus, ocspError, ocspResponseTbs, signOcspResponse } from './response.ts';

let issuing: TestAuthority;
let responder: TestResponder;

beforeAll(async () => {
  issuing = await makeIssuing(await makeRoot());
  responder = await makeResponder(issuing);
});

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

const certIdOf = (serial: string) =>
  encodeCertId({ issuer: issuerHashes(issuing.parsed), hash: 'sha1', serial });

const times = { thisUpdate: new Date('2027-01-01T00:00:00Z'), nextUpdate: new Date('2027-01-01T12:00:00Z') };

const answerOf = (responses: Parameters<typeof ocspResponseTbs>[0]['responses']) => ({
  responderKeyId: responderKeyId(responder.parsed),
  producedAt: new Date('2027-01-01T00:00:01Z'),
  responses,
});

const sign = (tbs: Uint8Array, certificates = [responder.certificate]) =>
  signOcspResponse(tbs, {
    signatureAlgorithm: 'ecdsa-with-SHA256',
    signer: keySigner(responder.key.privateKey),
    certificates,
  });

describe('an OCSP answer', () => {
  const revokedAt = new Date('2026-06-01T10:20:30Z');
  const reasons = Object.keys(revocationReasons) as (keyof typeof revocationReasons)[];
  const statuses: OcspStatus[] = ['good', 'unknown', ...reasons.map((reason) => ({ revokedAt, reason }))];

  it.each(statuses)('gives back the status %j', async (status) => {
    const nonce = randomBytes(16);
    const certId = certIdOf('4A3B');
    const tbs = ocspResponseTbs({ ...answerOf([{ certId, status, ...times }]), nonce });
    const read = parseOcspResponse(await sign(tbs));
    if (!read.ok || read.value.status !== 'successful') throw new Error('not read');
    expect(read.value).toMatchObject({ producedAt: new Date('2027-01-01T00:00:01Z') });
    expect(read.value.responses).toMatchObject([
      { status, ...times, certId: { serial: '4A3B', hash: 'sha1' } },
    ]);
    expect(hex(read.value.nonce)).toBe(hex(nonce));
    expect(hex(read.value.responderKeyId)).toBe(hex(responderKeyId(responder.parsed)));
    expect(read.value.certificates.map(hex)).toEqual([hex(responder.certificate)]);
  });

  it('says since when certificates are told of, expired ones too, where it is known', async () => {
    const archiveCutoff = new Date('2026-05-04T03:02:01Z');
    const single = { status: 'good' as const, ...times };
    const responses = [
      { ...single, certId: certIdOf('5A'), archiveCutoff },
      { ...single, certId: certIdOf('5B') },
    ];
    const read = parseOcspResponse(await sign(ocspResponseTbs(answerOf(responses))));
    if (!read.ok || read.value.status !== 'successful') throw new Error('not read');
    expect(read.value.responses.map((one) => one.archiveCutoff)).toEqual([archiveCutoff, undefined]);
  });

  it('carries a signature of the responder over its signed part', async () => {
    const read = parseOcspResponse(
      await sign(ocspResponseTbs(answerOf([{ certId: certIdOf('5A'), status: 'good', ...times }])), []),
    );
    if (!read.ok || read.value.status !== 'successful') throw new Error('not read');
    const key = (spki: Uint8Array) =>
      createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const { tbs, signature, certificates } = read.value;
    expect(verify('sha256', tbs, key(responder.key.spki), signature)).toBe(true);
    expect(verify('sha256', tbs, key(makeKey().spki), signature)).toBe(false);
    expect(certificates).toEqual([]);
  });

  it('names the responder by SHA-1 of its key, which is not its subjectKeyIdentifier', () => {
    const keyId = responderKeyId(responder.parsed);
    expect(keyId.length).toBe(20);
    expect(hex(responder.certificate)).not.toContain(hex(keyId));
  });

  it.each([
    ['malformedRequest', '30030a0101'],
    ['internalError', '30030a0102'],
    ['tryLater', '30030a0103'],
    ['sigRequired', '30030a0105'],
    ['unauthorized', '30030a0106'],
  ] as const)('that only says %s is five octets', (status, octets) => {
    expect(hex(ocspError(status))).toBe(octets);
    expect(parseOcspResponse(ocspError(status))).toEqual({ ok: true, value: { status } });
  });

  it('is not made with a nonce that no request may have', () => {
    for (const length of [0, 129]) {
      expect(() => ocspResponseTbs({ ...answerOf([]), nonce: new Uint8Array(length) })).toThrow(RangeError);
    }
  });

  it('damaged in 5,000 ways gives a value, never an exception', async () => {
    const responses = statuses.map((status) => ({ certId: certIdOf('4A3B'), status, ...times }));
    const good = await sign(ocspResponseTbs({ ...answerOf(responses), nonce: randomBytes(32) }));
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: mutated(good) }, fc.uint8Array({ maxLength: 300 })),
        (bytes) => {
          seen.add(parseOcspResponse(bytes).ok);
        },
      ),
      { numRuns: 5000 },
    );
    expect(seen).toEqual(new Set([true, false]));
  });
});
