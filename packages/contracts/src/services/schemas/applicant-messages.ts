import { z } from 'zod';
import { idSchema, instant, sealed, url } from '../../shared/fields.ts';

export const messageChannels = ['email', 'sms'] as const;
export const languages = ['es', 'en'] as const;

/**
 * What is told to an applicant. `claim`, `claim-reminder` and `certificate-ready` carry the claim link
 * (the last of a renewal by its subscriber: that of the reminder); `claim-code`, `download-code`, `revoke-code` and `renewal-code` carry a code of six digits, by SMS or, by configuration, to the second e-mail.
 * `end-reminder` tells a subscriber that their certificate is about to end; so does `renewal-reminder`, with a link to renew it.
 * Templates that begin with `operator-`, and `break-glass`, go to an operator, with a link to a page of the console.
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

/** One message as the notifier writes it. Intake owns it and is asked for it at every attempt. */
export const outgoingMessage = z.object({
  messageId: idSchema,
  /** Null for one to an operator. */
  requestId: idSchema.nullable(),
  /** Partner of the request; absent for a message to an operator. */
  partnerId: idSchema.optional(),
  channel: z.enum(messageChannels),
  template: z.enum(messageTemplates),
  language: z.enum(languages),
  /** An e-mail address, or a telephone number in E.164. */
  to: z.string(),
  applicantName: z.string(),
  /** To an operator: who has caused it. */
  partnerName: z.string(),
  /** Whom the applicant may ask; absent for a message to an operator. */
  partnerEmail: z.string().optional(),
  /** The page that the link opens, up to its token; absent for the gateway's pages of the claim. */
  linkPrefix: url.optional(),
  /** The end of the link, the download, the code or the certificate; null where a reminder of an end was overtaken. */
  expiresAt: instant.nullable(),
  /** That the message is about. */
  certificate: z
    .object({
      /** All names of its subscriber. */
      subscriberName: z.string(),
      serialNumber: z.string(),
      /** Until its end, rounded up. */
      daysLeft: z.int(),
    })
    .optional(),
  /** The link's token or the code, sealed to notifier; null when a newer message, or the end of the request, overtook it. */
  sealedSecret: sealed.nullable(),
});
export type OutgoingMessage = z.infer<typeof outgoingMessage>;
