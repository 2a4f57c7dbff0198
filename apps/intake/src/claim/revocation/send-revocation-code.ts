import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { lockedUntil, nextCodeAt } from '../code-rules.ts';
import { makeCode } from '../code-secret.ts';
import { codeTarget } from '../code-target.ts';
import { endEarlier, planCode } from '../send-claim-code.ts';
import { findSubscriber, lockSubscriber, namesOf, type Subscriber } from './find-subscriber.ts';
import { inEvenTime } from './tell-nothing.ts';

type SendRevocationCode = UseCase<'intake', 'revocations.sendCode'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'rules' | 'keyring'>;

/** @throws AppError RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED */
function checkWait({ codes }: Subscriber, options: { now: Date; intervalSeconds: number }): void {
  const waitMs = nextCodeAt(codes, options).getTime() - options.now.getTime();
  if (waitMs <= 0) return;
  throw new AppError({
    code: lockedUntil(codes, options.now) ? 'OTP_ATTEMPTS_EXCEEDED' : 'RATE_LIMITED',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/**
 * Sends a code to the telephone on file, within the limits of all codes of a request. By number and serial it answers the same whatever
 * became of it.
 * @throws AppError by a link alone: CLAIM_LINK_INVALID, RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED
 */
export function createSendRevocationCode(deps: Needs): SendRevocationCode {
  const { database, clock, rules, keyring } = deps;
  const send = async ({ target, language }: Parameters<SendRevocationCode>[0], peer: ServiceName) => {
    const names = await namesOf(target, { keyring, peer });
    const intervalSeconds = rules.codeIntervalSeconds;
    const seen = await findSubscriber(database, names, clock());
    checkWait(seen, { now: clock(), intervalSeconds });
    const id = deps.newId();
    const code = await makeCode(keyring, { requestId: seen.requestId, id });
    await database.transaction(async (em) => {
      const { now, ...subscriber } = await lockSubscriber(em, names, { ...seen, clock });
      checkWait(subscriber, { now, intervalSeconds });
      await endEarlier.run(em, { ...subscriber, purpose: 'revoke' });
      const recipient = codeTarget(subscriber.details, rules.claimCodeChannel);
      const planned = {
        id,
        purpose: 'revoke',
        code,
        claim: subscriber,
        target: recipient,
        language,
        now,
      } as const;
      await runStatement(em, planCode(planned).written);
    });
  };
  return async (input, { peer }) => {
    await inEvenTime(input.target, () =>
      send(input, peer).catch((error: unknown) => {
        if ('sealedToken' in input.target || !(error instanceof AppError)) throw error;
      }),
    );
    return {};
  };
}
