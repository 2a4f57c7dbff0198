import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { messageJob, type OutgoingMessage } from '../../base/jobs.ts';
import type { DependentInsert } from '../request/one-statement.ts';

type Outgoing = messagesContract.OutgoingMessage;
export type Language = Outgoing['language'];

/** Plans a message to the applicant: its row and its job, which the caller commits together. */
export function planMessage(message: {
  id: string;
  requestId: string;
  channel: Outgoing['channel'];
  template: Outgoing['template'];
  language: Language;
  recipient: string;
  /**
   * Token of the link or the code, sealed to the notifier. It is stored in this row alone, never in the job.
   */
  sealedSecret: string;
  /** End of the token's or code's validity, if it is known now. */
  secretUntil?: Date;
  now: Date;
}): {
  readonly insert: DependentInsert;
  readonly message: OutgoingMessage<'jobs.mail.send' | 'jobs.sms.send'>;
} {
  const { id, channel } = message;
  const row = {
    id,
    request_id: message.requestId,
    channel,
    template: message.template,
    language: message.language,
    recipient: message.recipient,
    sealed_secret: message.sealedSecret,
    secret_until: message.secretUntil ?? null,
    created_at: message.now,
  };
  return {
    insert: { table: 'message', rows: [row] },
    message: messageJob(channel, id),
  };
}
