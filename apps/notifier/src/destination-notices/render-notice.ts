import type { RenderedMail } from '../applicant-messages/render-mail.ts';
import { type MailContent, renderHtml, renderText } from '../mail/mail-layout.ts';
import type { LeasedNotice } from './notice.store.ts';
import { noticeTexts } from './notice-texts.ts';

export interface NoticeReader {
  readonly partnerName: string;
  readonly language: MailContent['language'];
}

const locales = { es: 'es-EC', en: 'en-GB' } as const;

/**
 * Renders a notice.
 * @param timeZone IANA time zone of displayed times
 */
export function renderNotice(
  notice: Pick<LeasedNotice, 'kind' | 'about' | 'failingSince'>,
  { partnerName, language }: NoticeReader,
  { missed, timeZone }: { missed: number; timeZone: string },
): RenderedMail {
  const since = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(notice.failingSince));
  const facts = { partnerName, destination: notice.about, since, missed };
  const { subject, content } = noticeTexts[language][notice.kind](facts);
  const mail: MailContent = { language, ...content };
  // The subject contains a partner's name, whose line break must not start a header.
  return { subject: subject.replaceAll(/\s+/g, ' '), text: renderText(mail), html: renderHtml(mail) };
}
