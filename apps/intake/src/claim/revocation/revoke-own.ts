import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database';
import { AppError, crashpoint } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { crashPoints } from '../../crash-points.ts';
import { applicantActor } from '../../request/actors.ts';
import { oneStatement } from '../../request/one-statement.ts';
import { noteCertificate } from '../../request/status/certificate-state.ts';
import { timelineNote } from '../../request/timeline-note.ts';
import { digestGiven, sameDigest } from '../code-secret.ts';
import { codeToTry, countWrong, useUp, wrongCode } from '../try-code.ts';
import { findSubscriber, lockSubscriber, namesOf, type Subscriber } from './find-subscriber.ts';
import { inEvenTime } from './tell-nothing.ts';

type RevokeOwn = UseCase<'intake', 'revocations.revoke'>;
type Input = Parameters<RevokeOwn>[0];
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'rules' | 'keyring' | 'peers' | 'logger'>;

/** What tells of the code alone; by number and serial all of it looks like a wrong code. */
const ofCode: readonly string[] = [
  'CLAIM_LINK_INVALID',
  'OTP_INVALID',
  'OTP_EXPIRED',
  'OTP_ATTEMPTS_EXCEEDED',
];

interface Proven {
  readonly subscriber: Subscriber;
  readonly codeId: string;
}

/** Counts a wrong code, under the request's lock; a right one is used up once the certificate is revoked. */
async function prove({ target, sealedCode }: Input, peer: ServiceName, deps: Needs): Promise<Proven> {
  const { database, clock, keyring, rules } = deps;
  const names = await namesOf(target, { keyring, peer });
  const given = await keyring.openText(sealedCode, { purpose: 'revocation-code', owner: peer });
  const intervalSeconds = rules.codeIntervalSeconds;
  const started = clock();
  const seen = await findSubscriber(database, names, started);
  const { requestId } = seen;
  const { id, sealedKey } = codeToTry(seen.codes, { purpose: 'revoke', now: started, intervalSeconds });
  const digest = await digestGiven(keyring, { requestId, id, sealedKey }, given);
  // A wrong try must be committed, so it is a result here and thrown after.
  const outcome = await database.transaction(async (em) => {
    const { now, ...subscriber } = await lockSubscriber(em, names, { requestId, clock });
    const code = codeToTry(subscriber.codes, { purpose: 'revoke', now, intervalSeconds });
    if (sameDigest(code.digest, digest)) return { subscriber, codeId: code.id };
    await countWrong.run(em, code);
    return wrongCode(code);
  });
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** Uses up the code and writes down who has revoked; generation has its own record of it. */
async function note({ subscriber, codeId }: Proven, { reason }: Input, deps: Needs): Promise<void> {
  const now = deps.clock();
  const { requestId, serialNumber } = subscriber;
  const audit = {
    at: now,
    actor: applicantActor,
    action: 'certificates.revoke',
    target: `request:${requestId}`,
    details: JSON.stringify({ serialNumber, reason }),
  };
  const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
  const noted = timelineNote({ ...subscriber, trigger: 'revoke', actor: applicantActor, now });
  await deps.database.transaction(async (em) => {
    await useUp.run(em, { id: codeId, now });
    const inserts = [noted, { table: 'audit', rows: [audit] }];
    await runStatement(em, oneStatement(change, { inserts, messages: [] }));
  });
}

/**
 * Revokes a certificate for its subscriber, who has the code that went to their telephone. The code is used up after it:
 * where generation did not answer, the same code revokes for the rest of its minutes.
 * @throws AppError OTP_INVALID, CERTIFICATE_ALREADY_REVOKED, SERVICE_UNAVAILABLE; by a link OTP_EXPIRED,
 *   OTP_ATTEMPTS_EXCEEDED and CLAIM_LINK_INVALID too
 */
export function createRevokeOwn(deps: Needs): RevokeOwn {
  return async (input, { peer }) => {
    const { target, reason } = input;
    const proven = await inEvenTime(target, () => prove(input, peer, deps)).catch((error: unknown) => {
      const isTold = 'sealedToken' in target || !(error instanceof AppError) || !ofCode.includes(error.code);
      throw isTold ? error : new AppError({ code: 'OTP_INVALID' });
    });
    const { requestId, partnerId, serialNumber, certificateVersion } = proven.subscriber;
    const named = { requestId, partnerId, serialNumber };
    const revoked = await deps.peers.generation['certificates.revokeForSubscriber']({ ...named, reason });
    crashpoint(crashPoints.afterOwnRevocation);
    await note(proven, input, deps);
    // It is revoked, whatever becomes of the copy; the next status query mends it.
    await noteCertificate(deps.database, { id: requestId, certificateVersion }, revoked).catch(
      (err: unknown) => deps.logger.warn({ err }, 'the copy of a certificate state could not be written'),
    );
    return { serialNumber, revokedAt: revoked.revokedAt ?? deps.clock().toISOString() };
  };
}
