import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { formatDay, formatMoment, formatTime } from '../mail/format-moment.ts';
import { type MailContent, renderHtml, renderText } from '../mail/mail-layout.ts';
import { fillTemplate, toPlainLine } from '../mail/plain-line.ts';
import { type MailTexts, mailTexts, sharedMailTexts } from './mail-texts.ts';
import { templateKinds } from './template-kinds.ts';

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
  /** Token of the link or code, in the clear, so the result is secret as well. Undefined where there is none. */
  readonly secret: string | undefined;
  readonly baseUrl: string;
  /** IANA time zone of displayed times. */
  readonly timeZone: string;
}

export function renderMail(message: MailMessage, context: RenderContext): RenderedMail {
  const texts: MailTexts = mailTexts[message.template][message.language];
  const values = buildValues(message, context);
  const content = buildContent(message, { texts, values, context });
  return {
    subject: fillTemplate(texts.subject, values),
    text: renderText(content),
    html: renderHtml(content),
  };
}

type Values = Readonly<Record<string, string>>;

/** Builds the values for the placeholders of the texts. */
function buildValues({ language, expiresAt, ...message }: MailMessage, { timeZone }: RenderContext): Values {
  const { inDays, inOneDay } = sharedMailTexts[language];
  const names = { applicant: toPlainLine(message.applicantName), partner: toPlainLine(message.partnerName) };
  if (expiresAt === null || message.certificate === undefined) return names;
  const { daysLeft } = message.certificate;
  const when = daysLeft > 1 ? fillTemplate(inDays, { days: String(daysLeft) }) : inOneDay;
  return { ...names, when, day: formatDay(expiresAt, language, timeZone) };
}

interface RenderInput {
  readonly texts: MailTexts;
  readonly values: Values;
  readonly context: RenderContext;
}

function buildContent(message: MailMessage, { texts, values, context }: RenderInput): MailContent {
  const { greeting, namelessGreeting, linkHint } = sharedMailTexts[message.language];
  const fillText = (text: string) => fillTemplate(text, values);
  const { secret } = context;
  return {
    language: message.language,
    preview: fillText(texts.preview),
    heading: fillText(texts.heading),
    paragraphs: [
      fillText(values.applicant === '' ? namelessGreeting : greeting),
      ...texts.paragraphs.map(fillText),
    ],
    ...(secret === undefined
      ? {}
      : texts.button === undefined
        ? { code: secret }
        : { button: { label: texts.button, url: buildLink(message, secret, context), hint: linkHint } }),
    facts: buildFacts(message, { texts, values, context }),
    notes: texts.notes.map(fillText),
  };
}

function buildFacts(
  message: MailMessage,
  { texts, values, context }: RenderInput,
): { label: string; value: string }[] {
  const { language, expiresAt, certificate } = message;
  const { certificateOf, serialNumber, requestedBy, contact } = sharedMailTexts[language];
  // A code expires within minutes, so its day is today.
  const format = templateKinds[message.template] === 'code' ? formatTime : formatMoment;
  const facts = [
    { label: certificateOf, value: toPlainLine(certificate?.subscriberName ?? '') },
    { label: requestedBy, value: values.partner ?? '' },
    { label: contact, value: toPlainLine(message.partnerEmail ?? '') },
    { label: texts.until, value: expiresAt === null ? '' : format(expiresAt, language, context.timeZone) },
    { label: serialNumber, value: certificate?.serialNumber ?? '' },
  ];
  return facts.filter(({ value }) => value !== '');
}

/** Paths of pages that a link opens; the claim page by default. */
const pagePaths: Partial<Record<MailMessage['template'], string>> = { 'renewal-reminder': '/renew/' };

function buildLink(
  { template, linkPrefix = pagePaths[template] ?? '/claim/' }: MailMessage,
  secret: string,
  { baseUrl }: RenderContext,
): string {
  return new URL(`${linkPrefix}${encodeURIComponent(secret)}`, baseUrl).href;
}
