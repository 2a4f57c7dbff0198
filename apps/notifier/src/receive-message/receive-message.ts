import type { messagesContract } from '@rubrica/contracts';
import type { Batcher } from '../engine/batcher.ts';
import type { Engine } from '../engine/engine.ts';
import { maskEmail } from '../mail/mask-email.ts';
import type { ClaimedMessage, NewMessage } from '../mail/message.store.ts';
import type { Peers } from '../peers.ts';

export type ReceiveMessageDeps = {
  peers: Pick<Peers, 'message'>;
  insert: Pick<Batcher<NewMessage, boolean>, 'add'>;
  engine: Pick<
    Engine<ClaimedMessage, messagesContract.OutgoingMessage>,
    'tryReserve' | 'giveBack' | 'run' | 'nudge'
  >;
};

const destination = 'email';

/**
 * Turns a job into a message and sends it at once where there is room. The same job twice sends nothing more.
 * @throws AppError when intake cannot answer; the job then has to come again
 */
export async function receiveMessage(messageId: string, deps: ReceiveMessageDeps): Promise<void> {
  const { engine, insert, peers } = deps;
  const mail = await peers.message(messageId);
  const claimed = engine.tryReserve(destination);
  let isNew = false;
  try {
    isNew = await insert.add({
      id: mail.messageId,
      requestId: mail.requestId,
      template: mail.template,
      recipientMasked: maskEmail(mail.to),
      claimed,
    });
  } finally {
    if (claimed && !isNew) engine.giveBack(destination);
  }
  if (!isNew) return;
  if (claimed) engine.run({ id: mail.messageId, destination, roundAttempts: 0, fence: 1 }, mail);
  else engine.nudge();
}
