import { texts } from './texts/texts.ts';
import type { ClaimView, Language } from './types.ts';

/** What no file system and no header takes: control characters, and those that Windows refuses. */
const unfit = /[\p{Cc}\p{Cf}<>:"/\\|?*%]+/gu;
const mostLetters = 100;

/** The file's name says whose it is and until when, in the reader's language; the end is a day of `timeZone`. */
export function p12Name(
  { applicantName, notAfter }: Pick<ClaimView, 'applicantName' | 'notAfter'>,
  { language, timeZone }: { readonly language: Language; readonly timeZone: string },
): string {
  const { nameBegin, nameUntil } = texts[language].file;
  const name = applicantName.normalize('NFC').replace(unfit, ' ').replace(/\s+/g, ' ').trim();
  const day = notAfter && new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(notAfter));
  const whose = [...name].slice(0, mostLetters).join('');
  return `${nameBegin} ${whose}${day ? ` ${nameUntil} ${day}` : ''}.p12`;
}

/** `Content-Disposition` of a download (RFC 6266): the name, and one in ASCII for what knows no other. */
export function attachment(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
