import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { formatDay, formatMoment, formatTime } from '../mail/format-moment.ts';
import { type MailContent, renderHtml, renderText } from '../mail/mail-layout.ts';
import { fill, plainLine } from '../mail/plain-line.ts';
import { letters, type MailTexts, phrases } from './mail-texts.ts';
import { kinds } from './template-kinds.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type MailMessage = Pick<
  messagesContract.OutgoingMessage,
  | 'template'
  | 'language'
  | 'applicantName'
  | 'partnerName'
  | 'partnerEmail'
  | 'expiresAt'
  | 'linkPrefix'
  | 'certificate'
>;

export interface RenderContext {
  /** The token of the link or the code, in the clear: the result is as secret. Undefined where there is none. */
  readonly secret: string | undefined;
  readonly baseUrl: string;
  /** IANA name in which times are told. */
  readonly timeZone: string;
}

export function renderMail(message: MailMessage, context: RenderContext): RenderedMail {
  const texts: MailTexts = letters[message.template][message.language];
  const values = valuesOf(message, context);
  const content = contentOf(message, { texts, values, context });
  return { subject: fill(texts.subject, values), text: renderText(content), html: renderHtml(content) };
}

type Values = Readonly<Record<string, string>>;

/** What fills the places of the texts. */
function valuesOf({ language, expiresAt, ...message }: MailMessage, { timeZone }: RenderContext): Values {
  const { inDays, inOneDay } = phrases[language];
  const names = { applicant: plainLine(message.applicantName), partner: plainLine(message.partnerName) };
  if (expiresAt === null || message.certificate === undefined) return names;
  const { daysLeft } = message.certificate;
  const when = daysLeft > 1 ? fill(inDays, { days: String(daysLeft) }) : inOneDay;
  return { ...names, when, day: formatDay(expiresAt, language, timeZone) };
}

interface Filling {
  readonly texts: MailTexts;
  readonly values: Values;
  readonly context: RenderContext;
}

function contentOf(message: MailMessage, { texts, values, context }: Filling): MailContent {
  const { greeting, namelessGreeting, linkHint } = phrases[message.language];
  const filled = (text: string) => fill(text, values);
  const { secret } = context;
  return {
    language: message.language,
    preview: filled(texts.preview),
    heading: filled(texts.heading),
    paragraphs: [
      filled(values.applicant === '' ? namelessGreeting : greeting),
      ...texts.paragraphs.map(filled),
    ],
    ...(secret === undefined
      ? {}
      : texts.button === undefined
        ? { code: secret }
        : { button: { label: texts.button, url: linkOf(message, secret, context), hint: linkHint } }),
    facts: factsOf(message, { texts, values, context }),
    notes: texts.notes.map(filled),
  };
}

function factsOf(
  message: MailMessage,
  { texts, values, context }: Filling,
): { label: string; value: string }[] {
  const { language, expiresAt, certificate } = message;
  const { certificateOf, serialNumber, requestedBy, contact } = phrases[language];
  // A code ends within minutes, so its day is today.
  const format = kinds[message.template] === 'code' ? formatTime : formatMoment;
  const facts = [
    { label: certificateOf, value: plainLine(certificate?.subscriberName ?? '') },
    { label: requestedBy, value: values.partner ?? '' },
    { label: contact, value: plainLine(message.partnerEmail ?? '') },
    { label: texts.until, value: expiresAt === null ? '' : format(expiresAt, language, context.timeZone) },
    { label: serialNumber, value: certificate?.serialNumber ?? '' },
  ];
  return facts.filter(({ value }) => value !== '');
}

/** The page that a link opens, where that is not the claim. */
const pages: Partial<Record<MailMessage['template'], string>> = { 'renewal-reminder': '/renew/' };

function linkOf(
  { template, linkPrefix = pages[template] ?? '/claim/' }: MailMessage,
  secret: string,
  { baseUrl }: RenderContext,
): string {
  return new URL(`${linkPrefix}${encodeURIComponent(secret)}`, baseUrl).href;
}
