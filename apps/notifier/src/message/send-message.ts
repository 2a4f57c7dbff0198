import type * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import { nextDelayMs, type Schedule } from '../engine/schedule.ts';
import type { Peers } from '../peers.ts';
import type { ClaimedMessage, MessageRecord } from './message.store.ts';

/** How one attempt ended; errors are plain and hold neither recipient nor content. */
export type Ending =
  | { outcome: 'SENT'; error: null }
  | { outcome: 'REFUSED' | 'SUPERSEDED'; error: string }
  | { outcome: 'UNAVAILABLE' | 'NOT_PREPARED'; error: string; retryAfterMs?: number };

/** Hands one message to its channel. It does not throw. */
export type Deliver = (sending: {
  message: messagesContract.OutgoingMessage;
  /** The link's token or the code, in the clear. */
  secret: string;
  /** How often operators have sent it again by hand. */
  resends: number;
}) => Promise<Ending>;

export type SendMessageDeps = {
  peers: Pick<Peers, 'message'>;
  keyring: Pick<Keyring, 'openText'>;
  deliver: Deliver;
  schedule: Schedule;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  logger: Pick<Logger, 'warn'>;
};

/** States that an outcome ends in; the others are tried again. */
const finals: Partial<Record<Ending['outcome'], MessageRecord['state']>> = {
  SENT: 'SENT',
  REFUSED: 'FAILED',
  SUPERSEDED: 'SUPERSEDED',
};

/**
 * One attempt at a message. What it says is asked for anew unless it is `known`: a link that has died meanwhile
 * must not be sent, and the ledger holds neither links nor codes.
 */
export async function sendMessage(
  claimed: ClaimedMessage,
  known: messagesContract.OutgoingMessage | undefined,
  deps: SendMessageDeps,
): Promise<MessageRecord> {
  const started = performance.now();
  const ending = await trySending(claimed, known, deps);
  const { id, fence, roundAttempts } = claimed;
  const { outcome, error } = ending;
  const record = { id, fence, durationMs: Math.round(performance.now() - started), outcome, error };
  const final = finals[outcome];
  if (final !== undefined) return { ...record, state: final, retryAfterMs: null };
  const retryAfterMs = 'retryAfterMs' in ending ? ending.retryAfterMs : undefined;
  const delayMs = nextDelayMs(deps.schedule, roundAttempts + 1, {
    random: deps.random(),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  return { ...record, state: delayMs === undefined ? 'FAILED' : 'PENDING', retryAfterMs: delayMs ?? null };
}

async function trySending(
  { id, resends }: ClaimedMessage,
  known: messagesContract.OutgoingMessage | undefined,
  deps: SendMessageDeps,
): Promise<Ending> {
  try {
    const message = known ?? (await deps.peers.message(id));
    if (message.sealedSecret === null) return overtaken('a newer message has taken its place');
    // An old code, or a dead link, would only make people try it.
    if (message.expiresAt !== null && Date.parse(message.expiresAt) <= deps.clock().getTime()) {
      return overtaken('it had expired before it could be sent');
    }
    const secret = await deps.keyring.openText(message.sealedSecret);
    return await deps.deliver({ message, secret, resends });
  } catch (err) {
    deps.logger.warn({ err, messageId: id }, 'a message could not be prepared');
    return { outcome: 'NOT_PREPARED', error: 'the message could not be prepared' };
  }
}

const overtaken = (error: string): Ending => ({ outcome: 'SUPERSEDED', error });
