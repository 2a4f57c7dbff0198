import type { Message, MessageSubject } from '@rubrica/contracts/messages/messages';
import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';

/** Bus message that intake sends: the same id is the same message. */
export interface OutgoingMessage<S extends MessageSubject = MessageSubject> {
  readonly subject: S;
  readonly id: string;
  readonly payload: Message<S>;
}

const prefixes = {
  'jobs.validation.requested': 'validate',
  'jobs.certificate.issue': 'issue',
  'jobs.webhook.deliver': 'webhook',
  'jobs.mail.send': 'mail',
  'jobs.sms.send': 'sms',
} as const satisfies { readonly [S in MessageSubject]?: string };
type JobSubject = keyof typeof prefixes;

function job<const S extends JobSubject>(
  subject: S,
  parts: readonly (string | number)[],
  payload: Message<S>,
): OutgoingMessage<S> {
  return { subject, id: [prefixes[subject], ...parts].join(':'), payload };
}

export function validationJob(requestId: string, attempt: number) {
  return job('jobs.validation.requested', [requestId, attempt], { requestId, attempt });
}

export function generationJob(requestId: string, attempt: number) {
  return job('jobs.certificate.issue', [requestId, attempt], { requestId, attempt });
}

export function webhookJob({ id, type }: { readonly id: string; readonly type: WebhookEventType }) {
  return job('jobs.webhook.deliver', [id], { eventId: id, type });
}

/** Creates the job of an e-mail or an SMS to the applicant. */
export function messageJob(channel: 'email' | 'sms', messageId: string) {
  const subject = channel === 'email' ? 'jobs.mail.send' : 'jobs.sms.send';
  return job(subject, [messageId], { messageId });
}

/**
 * Returns such a job as SQL, for a statement that creates many.
 * @param parts SQL expressions, as in payload; never input
 */
export function jobSql(
  subject: JobSubject,
  parts: readonly string[],
  payload: Readonly<Record<string, string>>,
) {
  const pairs = Object.entries(payload).map(([name, value]) => `'${name}', ${value}`);
  return {
    subject: `'${subject}'`,
    id: [`'${prefixes[subject]}'`, ...parts].join(` || ':' || `),
    payload: `jsonb_build_object(${pairs.join(', ')})`,
  };
}

/** SQL of the job that has a request's certificate issued, over the columns of `request`. */
export const generationJobSql = jobSql('jobs.certificate.issue', ['id', 'generation_attempt'], {
  requestId: 'id',
  attempt: 'generation_attempt',
});
