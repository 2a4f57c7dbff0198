import { z } from 'zod';
import { idSchema, instant, sealed } from '../../shared/fields.ts';

export const messageChannels = ['email', 'sms'] as const;
export const languages = ['es', 'en'] as const;

/**
 * What is told to an applicant. `claim`, `claim-reminder` and `certificate-ready` carry the claim link;
 * `claim-code` and `download-code` carry a code of six digits, by SMS or, by configuration, to the second e-mail.
 */
const messageTemplates = [
  'claim',
  'claim-reminder',
  'certificate-ready',
  'claim-code',
  'download-code',
] as const;
export type MessageTemplate = (typeof messageTemplates)[number];

export const messageInput = z.object({ messageId: idSchema });

/** One message as the notifier writes it. Intake owns it and is asked for it at every attempt. */
export const outgoingMessage = z.object({
  messageId: idSchema,
  requestId: idSchema,
  channel: z.enum(messageChannels),
  template: z.enum(messageTemplates),
  language: z.enum(languages),
  /** An e-mail address, or a telephone number in E.164. */
  to: z.string(),
  applicantName: z.string(),
  partnerName: z.string(),
  /** The end of the link, the download or the code. */
  expiresAt: instant.nullable(),
  /** The link's token or the code, sealed to notifier; null when a newer message, or the end of the request, overtook it. */
  sealedSecret: sealed.nullable(),
});
export type OutgoingMessage = z.infer<typeof outgoingMessage>;
