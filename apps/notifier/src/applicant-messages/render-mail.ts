import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { formatMoment, formatTime } from '../mail/format-moment.ts';
import { type MailContent, renderHtml, renderText } from '../mail/mail-layout.ts';
import { fill, plainLine } from '../mail/plain-line.ts';
import { letters, type MailTexts, phrases } from './mail-texts.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type MailMessage = Pick<
  messagesContract.OutgoingMessage,
  'template' | 'language' | 'applicantName' | 'partnerName' | 'partnerEmail' | 'expiresAt' | 'linkPrefix'
>;

export interface RenderContext {
  /** The token of the claim link or the code, in the clear: the result is as secret. */
  readonly secret: string;
  readonly baseUrl: string;
  /** IANA name in which times are told. */
  readonly timeZone: string;
}

export function renderMail(message: MailMessage, context: RenderContext): RenderedMail {
  const texts: MailTexts = letters[message.template][message.language];
  const content = contentOf(message, texts, context);
  return { subject: texts.subject, text: renderText(content), html: renderHtml(content) };
}

function contentOf(message: MailMessage, texts: MailTexts, context: RenderContext): MailContent {
  const { language, expiresAt } = message;
  const { greeting, namelessGreeting, requestedBy, contact, linkHint } = phrases[language];
  const partnerEmail = plainLine(message.partnerEmail ?? '');
  const names = { applicant: plainLine(message.applicantName), partner: plainLine(message.partnerName) };
  const filled = (text: string) => fill(text, names);
  // A code ends within minutes, so its day is today.
  const format = texts.button === undefined ? formatTime : formatMoment;
  const until = expiresAt === null ? undefined : format(expiresAt, language, context.timeZone);
  return {
    language,
    preview: filled(texts.preview),
    heading: texts.heading,
    paragraphs: [
      filled(names.applicant === '' ? namelessGreeting : greeting),
      ...texts.paragraphs.map(filled),
    ],
    ...(texts.button === undefined
      ? { code: context.secret }
      : { button: { label: texts.button, url: linkOf(message, context), hint: linkHint } }),
    facts: [
      { label: requestedBy, value: names.partner },
      ...(partnerEmail === '' ? [] : [{ label: contact, value: partnerEmail }]),
      ...(until === undefined ? [] : [{ label: texts.until, value: until }]),
    ],
    notes: texts.notes,
  };
}

function linkOf({ linkPrefix }: MailMessage, { secret, baseUrl }: RenderContext): string {
  return new URL(`${linkPrefix ?? '/claim/'}${encodeURIComponent(secret)}`, baseUrl).href;
}
