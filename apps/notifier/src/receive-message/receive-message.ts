import type * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import type { Batcher } from '../engine/batcher.ts';
import type { Engine } from '../engine/engine.ts';
import { maskEmail } from '../mail/mask-email.ts';
import type { ClaimedMessage, NewMessage } from '../message/message.store.ts';
import type { Peers } from '../peers.ts';
import { maskPhone } from '../sms/mask-phone.ts';

type Outgoing = messagesContract.OutgoingMessage;

/** What sends one kind of message, and how long what it takes is its own. */
export type MessageEngine = Pick<
  Engine<ClaimedMessage, Outgoing>,
  'tryReserve' | 'giveBack' | 'run' | 'nudge'
> & { leaseMs: number };

export type ReceiveMessageDeps = {
  peers: Pick<Peers, 'message'>;
  insert: Pick<Batcher<NewMessage, boolean>, 'add'>;
  engineOf(message: Pick<Outgoing, 'channel' | 'template'>): MessageEngine;
};

const masks = { email: maskEmail, sms: maskPhone } as const satisfies Record<Outgoing['channel'], unknown>;

/**
 * Turns a job into a message and sends it at once where there is room. The same job twice sends nothing more.
 * @throws AppError when intake cannot answer; the job then has to come again
 */
export async function receiveMessage(messageId: string, deps: ReceiveMessageDeps): Promise<void> {
  const message = await deps.peers.message(messageId);
  const { requestId, channel, template, expiresAt } = message;
  const id = message.messageId;
  const engine = deps.engineOf(message);
  const claimed = engine.tryReserve(template);
  let isNew = false;
  try {
    isNew = await deps.insert.add({
      id,
      requestId,
      channel,
      template,
      recipientMasked: masks[channel](message.to),
      expiresAt,
      leaseMs: claimed ? engine.leaseMs : null,
    });
  } finally {
    if (claimed && !isNew) engine.giveBack(template);
  }
  if (!isNew) return;
  if (claimed) engine.run({ id, destination: template, roundAttempts: 0, resends: 0, fence: 1 }, message);
  else engine.nudge();
}
