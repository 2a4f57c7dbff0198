import type * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import { fill, plainLine } from '../message/plain-line.ts';
import { sayMoment, sayTime } from '../message/say-moment.ts';
import { type MailContent, renderHtml, renderText } from './templates/html.ts';
import { letters, type MailTexts, phrases } from './templates/letters.ts';

export type RenderedMail = { subject: string; text: string; html: string };

export type MailMessage = Pick<
  messagesContract.OutgoingMessage,
  'template' | 'language' | 'applicantName' | 'partnerName' | 'expiresAt'
>;

export type RenderContext = {
  /** The token of the claim link or the code, in the clear: the result is as secret. */
  secret: string;
  baseUrl: string;
  /** IANA name in which times are told. */
  timeZone: string;
};

export function renderMail(message: MailMessage, context: RenderContext): RenderedMail {
  const texts: MailTexts = letters[message.template][message.language];
  const content = contentOf(message, texts, context);
  return { subject: texts.subject, text: renderText(content), html: renderHtml(content) };
}

function contentOf(message: MailMessage, texts: MailTexts, context: RenderContext): MailContent {
  const { language, expiresAt } = message;
  const { greeting, namelessGreeting, requestedBy, linkHint } = phrases[language];
  const names = { applicant: plainLine(message.applicantName), partner: plainLine(message.partnerName) };
  const said = (text: string) => fill(text, names);
  // A code ends within minutes, so its day is today.
  const say = texts.button === undefined ? sayTime : sayMoment;
  const until = expiresAt === null ? undefined : say(expiresAt, language, context.timeZone);
  return {
    language,
    preview: said(texts.preview),
    heading: texts.heading,
    paragraphs: [said(names.applicant === '' ? namelessGreeting : greeting), ...texts.paragraphs.map(said)],
    ...(texts.button === undefined
      ? { code: context.secret }
      : { button: { label: texts.button, url: claimUrl(context), hint: linkHint } }),
    facts: [
      { label: requestedBy, value: names.partner },
      ...(until === undefined ? [] : [{ label: texts.until, value: until }]),
    ],
    notes: texts.notes,
  };
}

const claimUrl = ({ secret, baseUrl }: RenderContext): string =>
  new URL(`/claim/${encodeURIComponent(secret)}`, baseUrl).href;
