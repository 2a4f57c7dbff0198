import type { messagesContract } from '@rubrica/contracts';
import { claimMail } from './templates/claim.ts';
import { renderHtml, renderText } from './templates/html.ts';

export type RenderedMail = { subject: string; text: string; html: string };

type Message = Pick<
  messagesContract.OutgoingMessage,
  'template' | 'language' | 'applicantName' | 'partnerName' | 'expiresAt'
>;

/**
 * @param token of the claim link, in the clear: the result is as secret as the link
 * @param timeZone IANA name in which the link's end is told
 */
export function renderMail(
  message: Message,
  { token, baseUrl, timeZone }: { token: string; baseUrl: string; timeZone: string },
): RenderedMail {
  const { subject, content } = templates[message.template]({
    ...message,
    url: new URL(`/claim/${encodeURIComponent(token)}`, baseUrl).href,
    expiresAt:
      message.expiresAt === null ? undefined : sayMoment(message.expiresAt, message.language, timeZone),
  });
  return { subject, text: renderText(content), html: renderHtml(content) };
}

const templates = { claim: claimMail } as const satisfies Record<
  messagesContract.OutgoingMessage['template'],
  unknown
>;

function sayMoment(instant: string, language: 'es' | 'en', timeZone: string): string {
  const locale = language === 'es' ? 'es-EC' : 'en-GB';
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(instant));
}
