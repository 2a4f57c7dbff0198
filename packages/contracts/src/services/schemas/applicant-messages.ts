import { z } from 'zod';
import { idSchema, instant, sealed, url } from '../../shared/fields.ts';

export const messageChannels = ['email', 'sms'] as const;
export const languages = ['es', 'en'] as const;

/**
 * Templates of messages to applicants and operators.
 *
 * `claim`, `claim-reminder` and `certificate-ready` carry the claim link; `certificate-ready` after a renewal by the
 * subscriber carries the link of the reminder. `claim-code`, `download-code`, `revoke-code` and `renewal-code` carry a
 * six-digit code, by SMS or, by configuration, to the second e-mail. `end-reminder` and `renewal-reminder` tell a
 * subscriber that their certificate is about to end; the latter has a link to renew it. Templates that begin with
 * `operator-`, and `break-glass`, go to an operator, with a link to a page of the console.
 */
const messageTemplates = [
  'claim',
  'claim-reminder',
  'certificate-ready',
  'claim-code',
  'download-code',
  'revoke-code',
  'renewal-code',
  'end-reminder',
  'renewal-reminder',
  'operator-invitation',
  'operator-reset',
  'operator-wrong-codes',
  'operator-app',
  'operator-passkey',
  'break-glass',
] as const;
export type MessageTemplate = (typeof messageTemplates)[number];

export const messageInput = z.object({ messageId: idSchema });

/** One message as the notifier sends it. Intake owns it and is asked for it at every attempt. */
export const outgoingMessage = z.object({
  messageId: idSchema,
  /** Null for a message to an operator. */
  requestId: idSchema.nullable(),
  /** Partner of the request; absent for a message to an operator. */
  partnerId: idSchema.optional(),
  channel: z.enum(messageChannels),
  template: z.enum(messageTemplates),
  language: z.enum(languages),
  /** An e-mail address, or a telephone number in E.164. */
  to: z.string(),
  applicantName: z.string(),
  /** Name of the partner; in a message to an operator, the person who caused it. */
  partnerName: z.string(),
  /** Address for the applicant's questions; absent for a message to an operator. */
  partnerEmail: z.string().optional(),
  /** Address of the page that the link opens, without the token; absent for the gateway's claim pages. */
  linkPrefix: url.optional(),
  /** End of the link, the download, the code or the certificate; null if a reminder of an end is obsolete. */
  expiresAt: instant.nullable(),
  /** Certificate that the message is about. */
  certificate: z
    .object({
      /** Full name of its subscriber. */
      subscriberName: z.string(),
      serialNumber: z.string(),
      /** Days until its end, rounded up. */
      daysLeft: z.int(),
    })
    .optional(),
  /**
   * Token of the link, or the code, sealed to notifier; null if a newer message or the end of the request made it
   * obsolete.
   */
  sealedSecret: sealed.nullable(),
});
export type OutgoingMessage = z.infer<typeof outgoingMessage>;
