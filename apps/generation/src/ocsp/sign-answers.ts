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
import type { Clock } from '@rubrica/process/time';
import { type StatusFields, toRevocation } from '../certificate/status-fields.ts';
import type { Issuer, Issuers } from '../issuers/issuer.ts';
import { formatCertIdForm, type SignedAnswer } from './signed-answer.ts';

/** OCSP identities of the authorities, and their delegated responders. */
export interface OcspSigner {
  readonly authorities: readonly OcspAuthority[];
  /**
   * Signs an answer for storage.
   * @throws Error for an issuer whose responder is not here, or an error of its key
   */
  signOne(about: AnswerSubject): Promise<SignedAnswer>;
  /** Signs an answer for one request. */
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
  readonly standing: StatusFields;
}

export interface FreshRequest {
  /** CertIDs of the request, each with the known status; undefined where it is unknown. */
  readonly subjects: readonly { readonly certId: Uint8Array; readonly standing: StatusFields | undefined }[];
  readonly nonce: Uint8Array | undefined;
}

/** Short lifetime of "unknown": the certificate may be about to be issued. */
const unknownLifetimeMs = 5 * MINUTE_MS;

interface SigningOptions {
  readonly lifetimeMs: number;
  readonly clock: Clock;
}

/**
 * Creates the signer.
 * @param issuers read for every answer: authorities and responders are replaced while the service runs
 */
export function createOcspSigner(
  issuers: Pick<Issuers, 'all'>,
  { lifetimeMs, clock }: SigningOptions,
): OcspSigner {
  const known = new WeakMap<Issuer, IssuerHashes>();
  const getHashes = (issuer: Issuer) => {
    const hashes = known.get(issuer) ?? issuerHashes(issuer.certificate);
    known.set(issuer, hashes);
    return hashes;
  };
  const find = (name: string) => {
    const issuer = issuers.all.find((candidate) => candidate.name === name);
    if (issuer === undefined) throw new Error(`no responder of ${name} is here`);
    return { issuer, hashes: getHashes(issuer) };
  };
  // An answer is not trusted beyond the expiry of its responder's certificate.
  const computeTimes = (ms: number, { responder }: Issuer) => {
    const thisUpdate = new Date(Math.floor(clock().getTime() / 1_000) * 1_000);
    const end = Math.min(thisUpdate.getTime() + ms, responder.certificate.notAfter.date.getTime());
    return { thisUpdate, nextUpdate: new Date(end) };
  };
  return {
    get authorities() {
      return issuers.all.map((issuer) => ({ name: issuer.name, hashes: getHashes(issuer) }));
    },
    async signOne({ issuer: name, serial, hash, parameters, standing }) {
      const { issuer, hashes } = find(name);
      const certId = encodeCertId({ issuer: hashes, hash, parameters, serial });
      const at = computeTimes(lifetimeMs, issuer);
      const der = await signBy(issuer, { responses: [{ certId, ...toKnown(standing, issuer), ...at }] });
      return { hashAlgorithm: formatCertIdForm({ hash, parameters }), der, ...at };
    },
    async signFresh({ name }, { subjects, nonce }) {
      const { issuer } = find(name);
      const responses = subjects.map(({ certId, standing }) => {
        const at = computeTimes(standing ? lifetimeMs : unknownLifetimeMs, issuer);
        return { certId, ...(standing ? toKnown(standing, issuer) : { status: 'unknown' as const }), ...at };
      });
      return signBy(issuer, { responses, nonce });
    },
  };
}

/**
 * Builds the status part. Expired certificates are included as long as their authority answers (EN 319 411-2,
 * CSS-6.3.10).
 */
function toKnown(standing: StatusFields, { certificate }: Issuer) {
  return { status: toStatus(standing), archiveCutoff: certificate.notBefore.date };
}

function toStatus(standing: StatusFields): OcspStatus {
  const revocation = toRevocation(standing);
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
