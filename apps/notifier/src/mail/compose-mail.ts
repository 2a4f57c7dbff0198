import { LRUCache } from 'lru-cache';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { toPlainLine } from './plain-line.ts';

export interface OutgoingMail {
  /** One address valid by `fields.email`: it goes into the header unchanged. */
  readonly to: string;
  /** `<…@…>`, the same for all attempts: mail programs show a repetition as one mail. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Mail as it is transmitted: SMTP envelope, and header and body as text. */
export interface ComposedMail {
  readonly envelope: { from: string; to: string[] };
  readonly raw: string;
}

const maxLineBytes = 76;
/** "=_" never occurs in a quoted-printable body (RFC 2045 §6.7), so content cannot end a part. */
const boundary = '=_alternative';
/** Size of the cache: thousands of reminders of one day have few subjects; those of notices vary. */
const maxSubjects = 64;

/**
 * Creates a composer of mails with text and HTML (RFC 2046 §5.1.4), in ASCII. The library only encodes; composing with
 * it took half the cost of a mail.
 * @param from `Name <address>`
 */
export function createComposer(from: string): (mail: OutgoingMail) => ComposedMail {
  const sender = new MimeNode().setHeader('From', from).getEnvelope().from || '';
  const fromLine = formatHeader('From', from);
  const subjectLines = new LRUCache<string, string>({ max: maxSubjects });

  function getSubjectLine(subject: string): string {
    const line = subjectLines.get(subject) ?? formatHeader('Subject', withoutEncodedWords(subject));
    subjectLines.set(subject, line);
    return line;
  }

  return ({ to, messageId, subject, text, html }) => {
    const lines = [
      fromLine,
      `To: ${to}`,
      getSubjectLine(subject),
      `Message-ID: ${messageId}`,
      `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
      // RFC 3834: suppresses out-of-office replies and mailing lists.
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      `Content-Type: multipart/alternative; boundary="${boundary}"`,
      '',
      ...[encodePart('plain', text), encodePart('html', html)].flatMap((encodedPart) => [
        `--${boundary}`,
        encodedPart,
      ]),
      `--${boundary}--`,
      '',
    ];
    return { envelope: { from: sender, to: [to] }, raw: lines.join('\r\n') };
  };
}

/** Formats a header: encoded (RFC 2047) where necessary, and folded (RFC 5322 §2.2.3). */
function formatHeader(name: string, value: string): string {
  return foldLines(`${name}: ${new MimeNode().encodeHeaderValue(name, value)}`, maxLineBytes);
}

/** Encodes a part as quoted-printable (RFC 2045 §6.7), which is legible in the source of a mail. */
function encodePart(subtype: 'plain' | 'html', content: string): string {
  const encoded = wrap(encode(content.replaceAll(/\r?\n/g, '\r\n')), maxLineBytes);
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${encoded}`;
}

/**
 * Prevents encoded words (RFC 2047 §2) in one line: the library passes ASCII on unchanged, and a reader would decode a
 * name that looks like one, including line breaks.
 */
function withoutEncodedWords(text: string): string {
  return toPlainLine(text).replaceAll('=?', '= ?');
}
