import { createHash } from 'node:crypto';
import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { isDatabaseUnavailable } from '@rubrica/database';
import {
  isIssuedBy,
  type OcspCertId,
  type OcspErrorStatus,
  type OcspHashAlgorithm,
  type OcspHashParameters,
  ocspError,
  parseOcspRequest,
} from '@rubrica/pki';
import type { Clock, Logger } from '@rubrica/process';
import { dateAnswer } from './last-modified.ts';
import type { AskedCertificate, OcspLedger } from './ocsp-ledger.ts';
import type { OcspAuthority, OcspSigner } from './sign-answers.ts';
import { answerName, type SignedAnswer } from './signed-answer.ts';
import { singleFlight } from './single-flight.ts';

type Answer = generationContract.OcspAnswer;
type Kept = Omit<SignedAnswer, 'hashAlgorithm'>;

/** Answers a request, whatever it holds. Never throws. */
export type AnswerOcsp = (request: Uint8Array) => Promise<Answer>;

export interface AnswerOcspDeps {
  readonly ledger: OcspLedger;
  readonly signer: OcspSigner;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For how long caches may keep an answer: a revocation must be seen soon. */
  readonly maxAgeSeconds: number;
  /** Signatures for one request alone that are made at once; further requests are answered with tryLater. */
  readonly freshAtOnce: number;
}

/** Status changes while an answer is signed are rare; this many in a row would mean that something else is wrong. */
const mostTries = 5;

/**
 * RFC 6960 with the profile of RFC 5019. One certificate without a nonce, which is nearly every request, is answered
 * by what is kept: signed once by the delegated responder, for all who ask. A certificate that was never issued is
 * `unknown`; where no CertID names an issuer of ours there is nothing to say with authority (`unauthorized`).
 */
export function createAnswerOcsp(deps: AnswerOcspDeps): AnswerOcsp {
  const kept = createKept(deps);
  const fresh = createFresh(deps);
  const answer = async (request: Uint8Array): Promise<Answer> => {
    const parsed = parseOcspRequest(request);
    if (!parsed.ok) return refusal('malformedRequest');
    const { certIds, nonce } = parsed.value;
    const authority = deps.signer.authorities.find(({ hashes }) =>
      certIds.some((certId) => isIssuedBy(certId, hashes)),
    );
    if (authority === undefined) return refusal('unauthorized');
    const only = certIds.length === 1 && nonce === undefined ? toKeepable(certIds[0]) : undefined;
    const found = only !== undefined && (await kept(authority, only));
    return found || fresh(authority, { certIds, nonce });
  };
  return async (request) => {
    try {
      return await answer(request);
    } catch (err) {
      if (isDatabaseUnavailable(err)) return refusal('tryLater');
      deps.logger.error({ err }, 'an OCSP request could not be answered');
      return refusal('internalError');
    }
  };
}

/** A CertID whose octets can be written again. */
interface KeepableCertId {
  readonly serial: string;
  readonly hash: OcspHashAlgorithm;
  readonly parameters: OcspHashParameters;
}

function toKeepable(certId: OcspCertId | undefined): KeepableCertId | undefined {
  if (certId === undefined || certId.hash === undefined || certId.parameters === 'other') return undefined;
  return { serial: certId.serial, hash: certId.hash, parameters: certId.parameters };
}

/** The answer that is kept, or one that will be; undefined for a certificate that was never issued. */
function createKept({ ledger, signer, clock, maxAgeSeconds, logger }: AnswerOcspDeps) {
  const sign = singleFlight<Kept | undefined>();
  const isYoung = ({ thisUpdate, nextUpdate }: Kept) =>
    2 * clock().getTime() < thisUpdate.getTime() + nextUpdate.getTime();
  const find = async (authority: OcspAuthority, certId: KeepableCertId) => {
    const [asked] = await ledger.find([certId.serial], answerName(certId));
    return asked && belongsTo(asked, authority) ? asked : undefined;
  };
  // The look before the signature is for those who looked before an answer was there and came after it was made.
  const renew = async (authority: OcspAuthority, certId: KeepableCertId) => {
    const asked = await find(authority, certId);
    if (asked === undefined) return undefined;
    if (asked.answer && isYoung(asked.answer)) return asked.answer;
    const { hash, parameters } = certId;
    const answer = await signer.signOne({ ...asked, issuer: authority.name, hash, parameters });
    return (await ledger.keep(asked, answer)) ? answer : undefined;
  };
  const renewOrOld = async (authority: OcspAuthority, certId: KeepableCertId, asked: AskedCertificate) => {
    try {
      const key = `${authority.name} ${asked.serial} ${asked.statusVersion} ${answerName(certId)}`;
      return await sign(key, () => renew(authority, certId));
    } catch (err) {
      // An old answer that still holds is better than none.
      if (asked.answer === undefined) throw err;
      logger.error({ err }, 'an OCSP answer could not be renewed');
      return asked.answer;
    }
  };
  return async (authority: OcspAuthority, certId: KeepableCertId): Promise<Answer | undefined> => {
    for (let tries = 1; tries <= mostTries; tries++) {
      const asked = await find(authority, certId);
      if (asked === undefined) return undefined;
      const isEnough = asked.answer !== undefined && isYoung(asked.answer);
      const answer = isEnough ? asked.answer : await renewOrOld(authority, certId, asked);
      if (answer) return cacheable(answer, { asked, now: clock(), maxAgeSeconds });
    }
    return refusal('tryLater');
  };
}

/** Each costs a signature, and anybody may ask: the limit keeps the key for those answers that serve all. */
function createFresh({ ledger, signer, freshAtOnce }: AnswerOcspDeps) {
  let running = 0;
  const standings = async (authority: OcspAuthority, certIds: readonly OcspCertId[]) => {
    const ours = certIds.filter((certId) => isIssuedBy(certId, authority.hashes));
    const serials = ours.map(({ serial }) => serial);
    const asked = new Map((await ledger.find(serials, 'none')).map((one) => [one.serial, one]));
    return certIds.map((certId) => {
      const found = ours.includes(certId) ? asked.get(certId.serial) : undefined;
      const standing = found && belongsTo(found, authority) ? found.standing : undefined;
      return { certId: certId.raw, standing };
    });
  };
  return async (
    authority: OcspAuthority,
    { certIds, nonce }: { certIds: readonly OcspCertId[]; nonce: Uint8Array | undefined },
  ): Promise<Answer> => {
    if (running >= freshAtOnce) return refusal('tryLater');
    running++;
    try {
      const subjects = await standings(authority, certIds);
      const der = await signer.signFresh(authority, { subjects, nonce });
      return { response: base64(der), caching: null };
    } finally {
      running--;
    }
  };
}

function belongsTo({ issuer }: AskedCertificate, { name }: OcspAuthority): boolean {
  return issuer === undefined || issuer === name;
}

function refusal(status: OcspErrorStatus): Answer {
  return { response: base64(ocspError(status)), caching: null };
}

/** RFC 5019 §6.2. A cache that knows no max-age goes by `expires`; there are none left. */
function cacheable(
  { der, thisUpdate, nextUpdate }: Kept,
  { asked, now, maxAgeSeconds }: { asked: AskedCertificate; now: Date; maxAgeSeconds: number },
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
