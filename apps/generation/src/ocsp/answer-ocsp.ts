import { createHash } from 'node:crypto';
import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { isDatabaseUnavailable } from '@rubrica/database/connection';
import {
  isIssuedBy,
  type OcspCertId,
  type OcspErrorStatus,
  type OcspHashAlgorithm,
  type OcspHashParameters,
  ocspError,
  parseOcspRequest,
} from '@rubrica/pki';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import { dateAnswer } from './last-modified.ts';
import type { OcspLedger, RequestedCertificate } from './ocsp-ledger.ts';
import type { OcspAuthority, OcspSigner } from './sign-answers.ts';
import { formatCertIdForm, type SignedAnswer } from './signed-answer.ts';
import { createSingleFlight } from './single-flight.ts';

type Answer = generationContract.OcspAnswer;
type StoredAnswer = Omit<SignedAnswer, 'hashAlgorithm'>;

/** Answers a request of any content. Never throws. */
export type AnswerOcsp = (request: Uint8Array) => Promise<Answer>;

export interface AnswerOcspDeps {
  readonly ledger: OcspLedger;
  readonly signer: OcspSigner;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time for which caches may keep an answer; short, so that a revocation is seen soon. */
  readonly maxAgeSeconds: number;
  /** Concurrent signatures for single requests; further requests are answered with tryLater. */
  readonly freshAtOnce: number;
}

/** Maximum attempts. Status changes during a signature are rare; this many in a row mean another fault. */
const maxAttempts = 5;

/**
 * Answers by RFC 6960 with the profile of RFC 5019. A request for one certificate without a nonce, nearly every
 * request, gets the stored answer: the delegated responder signs it once for all clients. A certificate that was never
 * issued is `unknown`. A request in which no CertID names an issuer of this service gets `unauthorized`.
 */
export function createAnswerOcsp(deps: AnswerOcspDeps): AnswerOcsp {
  const getStored = createStoredAnswers(deps);
  const signFresh = createFreshAnswers(deps);
  const answer = async (request: Uint8Array): Promise<Answer> => {
    const parsed = parseOcspRequest(request);
    if (!parsed.ok) return createRefusal('malformedRequest');
    const { certIds, nonce } = parsed.value;
    const authority = deps.signer.authorities.find(({ hashes }) =>
      certIds.some((certId) => isIssuedBy(certId, hashes)),
    );
    if (authority === undefined) return createRefusal('unauthorized');
    const only = certIds.length === 1 && nonce === undefined ? toKeepable(certIds[0]) : undefined;
    const found = only !== undefined && (await getStored(authority, only));
    return found || signFresh(authority, { certIds, nonce });
  };
  return async (request) => {
    try {
      return await answer(request);
    } catch (err) {
      if (isDatabaseUnavailable(err)) return createRefusal('tryLater');
      deps.logger.error({ err }, 'OCSP request failed');
      return createRefusal('internalError');
    }
  };
}

/** CertID that can be encoded again. */
interface KeepableCertId {
  readonly serial: string;
  readonly hash: OcspHashAlgorithm;
  readonly parameters: OcspHashParameters;
}

function toKeepable(certId: OcspCertId | undefined): KeepableCertId | undefined {
  if (certId === undefined || certId.hash === undefined || certId.parameters === 'other') return undefined;
  return { serial: certId.serial, hash: certId.hash, parameters: certId.parameters };
}

/** Returns the stored answer, or signs and stores one; undefined for a certificate that was never issued. */
function createStoredAnswers({ ledger, signer, clock, maxAgeSeconds, logger }: AnswerOcspDeps) {
  const sign = createSingleFlight<StoredAnswer | undefined>();
  const isYoung = ({ thisUpdate, nextUpdate }: StoredAnswer) =>
    2 * clock().getTime() < thisUpdate.getTime() + nextUpdate.getTime();
  const find = async (authority: OcspAuthority, certId: KeepableCertId) => {
    const [certificate] = await ledger.find([certId.serial], formatCertIdForm(certId));
    return certificate && isIssuedHere(certificate, authority) ? certificate : undefined;
  };
  // Checks again before signing: another request may have stored an answer since the first check.
  const renew = async (authority: OcspAuthority, certId: KeepableCertId) => {
    const certificate = await find(authority, certId);
    if (certificate === undefined) return undefined;
    if (certificate.answer && isYoung(certificate.answer)) return certificate.answer;
    const { hash, parameters } = certId;
    const answer = await signer.signOne({ ...certificate, issuer: authority.name, hash, parameters });
    return (await ledger.keep(certificate, answer)) ? answer : undefined;
  };
  const renewOrKeep = async (
    authority: OcspAuthority,
    certId: KeepableCertId,
    certificate: RequestedCertificate,
  ) => {
    try {
      const key = `${authority.name} ${certificate.serial} ${certificate.statusVersion} ${formatCertIdForm(certId)}`;
      return await sign(key, () => renew(authority, certId));
    } catch (err) {
      // An old answer that is still valid is better than none.
      if (certificate.answer === undefined) throw err;
      logger.error({ err }, 'OCSP answer renewal failed');
      return certificate.answer;
    }
  };
  return async (authority: OcspAuthority, certId: KeepableCertId): Promise<Answer | undefined> => {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const asked = await find(authority, certId);
      if (asked === undefined) return undefined;
      const isEnough = asked.answer !== undefined && isYoung(asked.answer);
      const answer = isEnough ? asked.answer : await renewOrKeep(authority, certId, asked);
      if (answer) return toCacheable(answer, { asked, now: clock(), maxAgeSeconds });
    }
    return createRefusal('tryLater');
  };
}

/**
 * Signs answers for single requests. Each costs a signature and anyone may ask, so a limit reserves the key for shared
 * answers.
 */
function createFreshAnswers({ ledger, signer, freshAtOnce }: AnswerOcspDeps) {
  let running = 0;
  const loadSubjects = async (authority: OcspAuthority, certIds: readonly OcspCertId[]) => {
    const ours = certIds.filter((certId) => isIssuedBy(certId, authority.hashes));
    const serials = ours.map(({ serial }) => serial);
    const bySerial = new Map(
      (await ledger.find(serials, 'none')).map((certificate) => [certificate.serial, certificate]),
    );
    return certIds.map((certId) => {
      const found = ours.includes(certId) ? bySerial.get(certId.serial) : undefined;
      const standing = found && isIssuedHere(found, authority) ? found.standing : undefined;
      return { certId: certId.raw, standing };
    });
  };
  return async (
    authority: OcspAuthority,
    { certIds, nonce }: { certIds: readonly OcspCertId[]; nonce: Uint8Array | undefined },
  ): Promise<Answer> => {
    if (running >= freshAtOnce) return createRefusal('tryLater');
    running++;
    try {
      const subjects = await loadSubjects(authority, certIds);
      const der = await signer.signFresh(authority, { subjects, nonce });
      return { response: base64(der), caching: null };
    } finally {
      running--;
    }
  };
}

function isIssuedHere({ issuer }: RequestedCertificate, { name }: OcspAuthority): boolean {
  return issuer === undefined || issuer === name;
}

function createRefusal(status: OcspErrorStatus): Answer {
  return { response: base64(ocspError(status)), caching: null };
}

/** Adds caching headers (RFC 5019 §6.2). A cache that does not support max-age uses `expires`. */
function toCacheable(
  { der, thisUpdate, nextUpdate }: StoredAnswer,
  { asked, now, maxAgeSeconds }: { asked: RequestedCertificate; now: Date; maxAgeSeconds: number },
): Answer {
  const leftSeconds = Math.floor((nextUpdate.getTime() - now.getTime()) / 1_000);
  return {
    response: base64(der),
    caching: {
      maxAgeSeconds: Math.max(0, Math.min(maxAgeSeconds, leftSeconds)),
      etag: `"${createHash('sha256').update(der).digest('base64url')}"`,
      lastModified: dateAnswer(thisUpdate, asked.standing).toISOString(),
      expires: nextUpdate.toISOString(),
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
