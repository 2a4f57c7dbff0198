import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Keyring } from '@rubrica/process/keyring';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import { nextDelayMs, type Schedule } from '../send-queue/retry-schedule.ts';
import type { ApplicantMessageRecord, LeasedApplicantMessage } from './applicant-message.store.ts';
import { messageExpiredError, type SendingResult } from './sending-result.ts';
import { isValidSecret, secretPurpose } from './template-kinds.ts';

/** Sends one message by its channel. Never throws. */
export type SendByChannel = (sending: {
  message: messagesContract.OutgoingMessage;
  /** Token of the link or code, in the clear; undefined where the message has none. */
  secret: string | undefined;
  /** Number of manual resends by operators. */
  resends: number;
}) => Promise<SendingResult>;

export interface SendApplicantMessageDeps {
  readonly intake: Pick<Peers<'notifier'>['intake'], 'messages.get'>;
  readonly keyring: Pick<Keyring, 'openText'>;
  readonly send: SendByChannel;
  readonly schedule: Schedule;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Final states by outcome; other outcomes are retried. */
const finalStates: Partial<Record<SendingResult['outcome'], ApplicantMessageRecord['state']>> = {
  SENT: 'SENT',
  REFUSED: 'FAILED',
  SUPERSEDED: 'SUPERSEDED',
};

/**
 * Makes one attempt at a message. Its content is requested again unless it is `known`: an invalidated link must not be
 * sent, and the ledger stores neither links nor codes.
 */
export async function sendApplicantMessage(
  leased: LeasedApplicantMessage,
  known: messagesContract.OutgoingMessage | undefined,
  deps: SendApplicantMessageDeps,
): Promise<ApplicantMessageRecord> {
  const started = performance.now();
  const result = await trySending(leased, known, deps);
  const { id, fence, roundAttempts } = leased;
  const { outcome, error } = result;
  const record = { id, fence, durationMs: Math.round(performance.now() - started), outcome, error };
  const final = finalStates[outcome];
  if (final !== undefined) return { ...record, state: final, retryAfterMs: null };
  const retryAfterMs = 'retryAfterMs' in result ? result.retryAfterMs : undefined;
  const delayMs = nextDelayMs(deps.schedule, roundAttempts + 1, {
    random: deps.random(),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  return { ...record, state: delayMs === undefined ? 'FAILED' : 'PENDING', retryAfterMs: delayMs ?? null };
}

async function trySending(
  { id, requestId, resends }: LeasedApplicantMessage,
  known: messagesContract.OutgoingMessage | undefined,
  deps: SendApplicantMessageDeps,
): Promise<SendingResult> {
  try {
    const message = known ?? (await deps.intake['messages.get']({ messageId: id }));
    const purpose = secretPurpose(message.template);
    const isSuperseded = purpose === undefined ? message.expiresAt === null : message.sealedSecret === null;
    if (isSuperseded) return createSuperseded('a newer message has taken its place');
    // An old code or invalid link would only mislead the recipient.
    if (message.expiresAt !== null && Date.parse(message.expiresAt) <= deps.clock().getTime()) {
      return createSuperseded(messageExpiredError);
    }
    const { sealedSecret } = message;
    const owner = requestId ?? id;
    const secret =
      purpose === undefined || sealedSecret === null
        ? undefined
        : await deps.keyring.openText(sealedSecret, { purpose, owner });
    if (purpose !== undefined && secret !== undefined && !isValidSecret(purpose, secret))
      return { outcome: 'REFUSED', error: 'what is sealed for it is neither a code nor a token' };
    return await deps.send({ message, secret, resends });
  } catch (err) {
    deps.logger.warn({ err, messageId: id }, 'a message could not be prepared');
    return { outcome: 'NOT_PREPARED', error: 'the message could not be prepared' };
  }
}

function createSuperseded(error: string): SendingResult {
  return { outcome: 'SUPERSEDED', error };
}
