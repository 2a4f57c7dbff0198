import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database/connection';
import { findEntryGuard } from '@rubrica/database/entries';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../../base/crash-points.ts';
import type { RequestsDeps } from '../../deps.ts';
import { applicantActor } from '../../request/actors.ts';
import { auditInsert } from '../../request/audit-insert.ts';
import { buildStatement } from '../../request/one-statement.ts';
import { noteCertificate } from '../../request/status/certificate-state.ts';
import { findSerialToRevoke } from '../../request/status/find-certificate.ts';
import { timelineInsert } from '../../request/timeline-note.ts';
import { countTries, groupRevocations } from '../code-history.ts';
import { type LiveCode, selectTriableCodes } from '../code-rules.ts';
import { computeEnteredDigest, sameDigest } from '../code-secret.ts';
import { requireCode, requireLive, useUpCode, wrongCode } from '../prove-claim.ts';
import { numberLimits } from './code-limits.ts';
import {
  findSubscriber,
  lockSubscriber,
  readCertificateReference,
  type Subscriber,
} from './find-subscriber.ts';
import type { RevocationCaller } from './revocation-caller.ts';
import { withUniformDelay } from './uniform-delay.ts';

type RevokeOwn = UseCase<'intake', 'revocations.revoke'>;
type Input = Parameters<RevokeOwn>[0];
type RevokeOwnDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'rules' | 'rows' | 'keyring' | 'peers' | 'logger'
>;

/**
 * Errors that reveal something about the code alone; by number and serial all of them look like a wrong code.
 */
const codeErrors: readonly string[] = [
  'CLAIM_LINK_INVALID',
  'OTP_INVALID',
  'OTP_EXPIRED',
  'OTP_ATTEMPTS_EXCEEDED',
];

interface ProvenSubscriber {
  readonly subscriber: Subscriber;
  readonly codeId: string;
}

/**
 * Selects the codes that this caller may try: with the link the newest one, by number each one of its
 * browser.
 * @throws AppError OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED
 */
function selectCodes(
  { codeHistory }: Subscriber,
  options: { way: RevocationCaller['way']; now: Date; intervalSeconds: number },
): readonly LiveCode[] {
  if (options.way === 'link') {
    const timelinePerHour = numberLimits.certificate.perHour;
    return [requireCode(codeHistory, { ...options, timelinePerHour, purpose: 'revoke' })];
  }
  const inForce = selectTriableCodes(codeHistory.codes, options.now);
  if (inForce.length === 0) throw new AppError({ code: 'OTP_EXPIRED' });
  return inForce;
}

/**
 * Counts a try of each code with which the entered one is compared, under the request's lock and committed
 * before they are compared. A right one is used up once the certificate is revoked.
 */
async function prove(input: Input, peer: ServiceName, deps: RevokeOwnDeps): Promise<ProvenSubscriber> {
  const { database, clock, keyring, rules, rows } = deps;
  const names = await readCertificateReference(input, { keyring, peer });
  const entered = await keyring.openText(input.sealedCode, { purpose: 'revocation-code', owner: peer });
  const tryOptions = { way: names.asker.way, intervalSeconds: rules.codeIntervalSeconds };
  const started = clock();
  const seen = await findSubscriber(database, names, { now: started, rows });
  const { requestId } = seen;
  // A refused call waits for no lock: a flood of guesses must not fill the pool.
  selectCodes(seen, { ...tryOptions, now: started });
  const tried = await database.transaction(async (em) => {
    const { now, ...subscriber } = await lockSubscriber(em, names, { requestId, clock, rows });
    const codes = selectCodes(subscriber, { ...tryOptions, now });
    const group = groupRevocations(names.asker);
    const codeIds = codes.map(({ id }) => id);
    await countTries(em, { requestId, codeIds, purpose: 'revoke', group, now });
    return codes;
  });
  const digests = await Promise.all(
    tried.map((code) => computeEnteredDigest(keyring, { ...code, requestId }, entered)),
  );
  const matching = tried.find(({ digest }, index) => sameDigest(digest, digests[index] ?? ''));
  if (matching === undefined) {
    const last = tried.at(-1);
    throw last === undefined ? new AppError({ code: 'OTP_EXPIRED' }) : wrongCode(last);
  }
  return database.transaction(async (em) => {
    const { now, ...subscriber } = await lockSubscriber(em, names, { requestId, clock, rows });
    requireLive(subscriber.codeHistory, matching, now);
    return { subscriber, codeId: matching.id };
  });
}

/** Uses up the code and audits the revocation; generation has its own record of it. */
async function recordRevocation(
  { subscriber, codeId }: ProvenSubscriber,
  { reason }: Input,
  deps: RevokeOwnDeps,
): Promise<void> {
  const now = deps.clock();
  const { requestId, serialNumber } = subscriber;
  const audit = {
    actor: applicantActor,
    action: 'certificates.revoke',
    target: `request:${requestId}`,
    details: { serialNumber, reason },
  };
  const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
  const entry = timelineInsert({ ...subscriber, trigger: 'revoke', actor: applicantActor, now });
  await deps.database.transaction(async (em) => {
    await useUpCode.run(em, { id: codeId, now });
    const inserts = [entry, auditInsert(findEntryGuard(em), audit)];
    await runStatement(em, buildStatement(change, { inserts, messages: [] }));
  });
}

/**
 * Revokes a certificate for its subscriber, who has the code that went to their telephone. The code is used
 * up after it: if generation did not answer, the same code revokes until it expires.
 * @throws AppError OTP_INVALID, CERTIFICATE_ALREADY_REVOKED, SERVICE_UNAVAILABLE; with a link OTP_EXPIRED,
 *   OTP_ATTEMPTS_EXCEEDED and CLAIM_LINK_INVALID too
 */
export function createRevokeOwn(deps: RevokeOwnDeps): RevokeOwn {
  return async (input, { peer }) => {
    const { target, reason } = input;
    const proven = await withUniformDelay(target, () => prove(input, peer, deps)).catch((error: unknown) => {
      const isRevealed =
        'sealedToken' in target || !(error instanceof AppError) || !codeErrors.includes(error.code);
      throw isRevealed ? error : new AppError({ code: 'OTP_INVALID' });
    });
    const { requestId, partnerId, certificateVersion, serialNumber: stored } = proven.subscriber;
    const certified = { id: requestId, partnerId, serialNumber: stored };
    const serialNumber = await findSerialToRevoke(deps, {
      ...certified,
      named: 'sealedToken' in target ? undefined : stored,
    });
    if (serialNumber === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    const certificate = { requestId, partnerId, serialNumber };
    const revoked = await deps.peers.generation['certificates.revokeForSubscriber']({
      ...certificate,
      reason,
    });
    crashpoint(crashPoints.afterOwnRevocation);
    await recordRevocation(proven, input, deps);
    // The certificate is revoked, whatever happens to the copy; the next status query repairs it.
    await noteCertificate(deps.database, { id: requestId, certificateVersion }, revoked).catch(
      (err: unknown) => deps.logger.warn({ err }, 'copy of a certificate state not written'),
    );
    return { serialNumber, revokedAt: revoked.revokedAt ?? deps.clock().toISOString() };
  };
}
