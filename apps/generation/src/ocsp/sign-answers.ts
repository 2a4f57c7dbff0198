import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import {
  encodeCertId,
  type IssuerHashes,
  issuerHashes,
  type OcspHashAlgorithm,
  type OcspHashParameters,
  type OcspSingleResponse,
  type OcspStatus,
  ocspResponseTbs,
  signOcspResponse,
} from '@rubrica/pki';
import type { Clock } from '@rubrica/process';
import { revocationOf, type Standing } from '../certificate/standing.ts';
import type { Issuer, Issuers } from '../issuers/issuer.ts';
import { answerName, type SignedAnswer } from './signed-answer.ts';

/** The authorities of this service as OCSP knows them, and their delegated responders. */
export interface OcspSigner {
  readonly authorities: readonly OcspAuthority[];
  /** An answer to keep. @throws Error for an issuer whose responder is not here, or whatever its key throws */
  signOne(about: AnswerSubject): Promise<SignedAnswer>;
  /** An answer for one request alone. */
  signFresh(authority: OcspAuthority, request: FreshRequest): Promise<Uint8Array>;
}

export interface OcspAuthority {
  readonly name: string;
  readonly hashes: IssuerHashes;
}

export interface AnswerSubject {
  readonly issuer: string;
  readonly serial: string;
  readonly hash: OcspHashAlgorithm;
  readonly parameters: OcspHashParameters;
  readonly standing: Standing;
}

export interface FreshRequest {
  /** CertIDs as they were asked with, each with what is known; without a standing: nothing. */
  readonly subjects: readonly { readonly certId: Uint8Array; readonly standing: Standing | undefined }[];
  readonly nonce: Uint8Array | undefined;
}

/** "Not known" may be wrong soon: the certificate may be on its way to being issued. */
const unknownLifetimeMs = 5 * MINUTE_MS;

interface Signing {
  readonly lifetimeMs: number;
  readonly clock: Clock;
}

/** @param issuers read anew for every answer: authorities and responders are replaced while the service runs */
export function createOcspSigner(issuers: Pick<Issuers, 'all'>, { lifetimeMs, clock }: Signing): OcspSigner {
  const known = new WeakMap<Issuer, IssuerHashes>();
  const hashesOf = (issuer: Issuer) => {
    const hashes = known.get(issuer) ?? issuerHashes(issuer.certificate);
    known.set(issuer, hashes);
    return hashes;
  };
  const find = (name: string) => {
    const issuer = issuers.all.find((one) => one.name === name);
    if (issuer === undefined) throw new Error(`no responder of ${name} is here`);
    return { issuer, hashes: hashesOf(issuer) };
  };
  // An answer is not trusted beyond the end of its responder's certificate.
  const times = (ms: number, { responder }: Issuer) => {
    const thisUpdate = new Date(Math.floor(clock().getTime() / 1_000) * 1_000);
    const end = Math.min(thisUpdate.getTime() + ms, responder.certificate.notAfter.date.getTime());
    return { thisUpdate, nextUpdate: new Date(end) };
  };
  return {
    get authorities() {
      return issuers.all.map((issuer) => ({ name: issuer.name, hashes: hashesOf(issuer) }));
    },
    async signOne({ issuer: name, serial, hash, parameters, standing }) {
      const { issuer, hashes } = find(name);
      const certId = encodeCertId({ issuer: hashes, hash, parameters, serial });
      const at = times(lifetimeMs, issuer);
      const der = await signBy(issuer, { responses: [{ certId, ...toKnown(standing, issuer), ...at }] });
      return { hashAlgorithm: answerName({ hash, parameters }), der, ...at };
    },
    async signFresh({ name }, { subjects, nonce }) {
      const { issuer } = find(name);
      const responses = subjects.map(({ certId, standing }) => {
        const at = times(standing ? lifetimeMs : unknownLifetimeMs, issuer);
        return { certId, ...(standing ? toKnown(standing, issuer) : { status: 'unknown' as const }), ...at };
      });
      return signBy(issuer, { responses, nonce });
    },
  };
}

/** Certificates are told of as long as their authority answers, also those that have expired (EN 319 411-2, CSS-6.3.10). */
function toKnown(standing: Standing, { certificate }: Issuer) {
  return { status: toStatus(standing), archiveCutoff: certificate.notBefore.date };
}

function toStatus(standing: Standing): OcspStatus {
  const revocation = revocationOf(standing);
  return revocation === undefined ? 'good' : { revokedAt: revocation.at, reason: revocation.reason };
}

async function signBy(
  { responder }: Issuer,
  { responses, nonce }: { responses: readonly OcspSingleResponse[]; nonce?: Uint8Array | undefined },
): Promise<Uint8Array> {
  const producedAt = responses[0]?.thisUpdate ?? new Date();
  const tbs = ocspResponseTbs({
    responderKeyId: responder.keyId,
    producedAt,
    responses,
    nonce,
  });
  return signOcspResponse(tbs, {
    signatureAlgorithm: responder.signatureAlgorithm,
    signer: responder.sign,
    certificates: [responder.certificate.raw],
  });
}
