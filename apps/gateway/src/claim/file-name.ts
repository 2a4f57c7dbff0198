import { texts } from './texts/texts.ts';
import type { ClaimView, Language } from './types.ts';

/** Characters that are invalid in headers or file systems: control characters, and those that Windows refuses. */
const invalidCharacters = /[\p{Cc}\p{Cf}<>:"/\\|?*%]+/gu;
const maxLetters = 100;

/** Builds the file name with owner and expiry, in the reader's language; the expiry is a day of `timeZone`. */
export function buildFileName(
  { applicantName, notAfter }: Pick<ClaimView, 'applicantName' | 'notAfter'>,
  { language, timeZone }: { readonly language: Language; readonly timeZone: string },
): string {
  const { nameBegin, nameUntil } = texts[language].file;
  const name = applicantName.normalize('NFC').replace(invalidCharacters, ' ').replace(/\s+/g, ' ').trim();
  const day = notAfter && new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(notAfter));
  const owner = [...name].slice(0, maxLetters).join('');
  return `${nameBegin} ${owner}${day ? ` ${nameUntil} ${day}` : ''}.p12`;
}

/** Formats the `Content-Disposition` of a download (RFC 6266): the name, and an ASCII form for older clients. */
export function formatAttachment(name: string): string {
  const asciiName = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encoded}`;
}
