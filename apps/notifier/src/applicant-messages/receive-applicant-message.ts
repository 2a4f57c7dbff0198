import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Peers } from '@rubrica/wiring';
import type { Batcher } from '../send-queue/batcher.ts';
import type { SendQueue } from '../send-queue/send-queue.ts';
import { type IsStored, isGone } from '../store/gone-records.ts';
import type {
  ApplicantMessageRecord,
  LeasedApplicantMessage,
  NewApplicantMessage,
} from './applicant-message.store.ts';
import { maskEmail } from './mask-email.ts';
import { maskPhone } from './mask-phone.ts';
import { toLane } from './message-lane.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** Queue for one kind of message, with the duration of its leases. */
export type ApplicantMessageQueue = Pick<
  SendQueue<LeasedApplicantMessage, Outgoing, ApplicantMessageRecord>,
  'tryReserve' | 'unreserve' | 'enter' | 'nudge'
> & { leaseMs: number };

export interface ReceiveApplicantMessageDeps {
  readonly intake: Pick<Peers<'notifier'>['intake'], 'messages.get'>;
  readonly insert: Pick<Batcher<NewApplicantMessage, boolean>, 'add'>;
  readonly isStored: IsStored;
  /** Finds the queue for a message. */
  findQueue(message: Pick<Outgoing, 'channel' | 'template'>): ApplicantMessageQueue;
}

const masks = { email: maskEmail, sms: maskPhone } as const satisfies Record<Outgoing['channel'], unknown>;

/**
 * Turns a job into a message and sends it immediately if there is capacity. A repeated job sends nothing more.
 * @throws AppError when intake cannot answer; the job must then be redelivered
 */
export async function receiveApplicantMessage(
  messageId: string,
  deps: ReceiveApplicantMessageDeps,
): Promise<void> {
  const message = await fetchMessage(messageId, deps);
  if (message === undefined) return;
  const { requestId, partnerId, channel, template, expiresAt } = message;
  const id = message.messageId;
  const queue = deps.findQueue(message);
  const lane = toLane(partnerId, template);
  const leased = queue.tryReserve(lane);
  let isNew = false;
  try {
    isNew = await deps.insert.add({
      id,
      requestId,
      partnerId: partnerId ?? null,
      channel,
      template,
      recipientMasked: masks[channel](message.to),
      expiresAt,
      leaseMs: leased ? queue.leaseMs : null,
    });
  } finally {
    if (leased && !isNew) queue.unreserve(lane);
  }
  if (!isNew) return;
  if (leased) queue.enter({ id, requestId, ...lane, roundAttempts: 0, resends: 0, fence: 1 }, message);
  else queue.nudge();
}

/** Returns undefined where intake no longer has the message and it is stored: only the acknowledgement was lost. */
async function fetchMessage(
  messageId: string,
  { intake, isStored }: ReceiveApplicantMessageDeps,
): Promise<Outgoing | undefined> {
  try {
    return await intake['messages.get']({ messageId });
  } catch (error) {
    if (isGone(error) && (await isStored(messageId))) return undefined;
    throw error;
  }
}
