import { LRUCache } from 'lru-cache';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { plainLine } from './plain-line.ts';

export interface OutgoingMail {
  /** One address of `fields.email`: it goes into the header as it is. */
  readonly to: string;
  /** `<…@…>`, stable over attempts: mail programs show a repeat as one mail. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What goes over the wire: whom the mail server is told, and header and body as octets. */
export interface ComposedMail {
  readonly envelope: { from: string; to: string[] };
  readonly raw: string;
}

const lineOctets = 76;
/** "=_" is in no quoted-printable body (RFC 2045 §6.7), so no content can end a part. */
const boundary = '=_alternative';
/** Thousands of reminders of one day have few subjects, and those of notices come and go. */
const subjectsKept = 64;

/**
 * Writes mails of text and HTML (RFC 2046 §5.1.4), in ASCII. The library encodes; it would put together the whole too, which took
 * half of what a mail costs.
 * @param from `Name <address>`
 */
export function createComposer(from: string): (mail: OutgoingMail) => ComposedMail {
  const sender = new MimeNode().setHeader('From', from).getEnvelope().from || '';
  const fromLine = headerLine('From', from);
  const subjectLines = new LRUCache<string, string>({ max: subjectsKept });

  function subjectLine(subject: string): string {
    const line = subjectLines.get(subject) ?? headerLine('Subject', withoutEncodedWords(subject));
    subjectLines.set(subject, line);
    return line;
  }

  return ({ to, messageId, subject, text, html }) => {
    const lines = [
      fromLine,
      `To: ${to}`,
      subjectLine(subject),
      `Message-ID: ${messageId}`,
      `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
      // RFC 3834: keeps holiday answers and mailing lists quiet.
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      `Content-Type: multipart/alternative; boundary="${boundary}"`,
      '',
      ...[part('plain', text), part('html', html)].flatMap((one) => [`--${boundary}`, one]),
      `--${boundary}--`,
      '',
    ];
    return { envelope: { from: sender, to: [to] }, raw: lines.join('\r\n') };
  };
}

/** Encoded (RFC 2047) where it has to be, and folded (RFC 5322 §2.2.3). */
function headerLine(name: string, value: string): string {
  return foldLines(`${name}: ${new MimeNode().encodeHeaderValue(name, value)}`, lineOctets);
}

/** Quoted-printable (RFC 2045 §6.7): mail programs that show the source show words. */
function part(subtype: 'plain' | 'html', content: string): string {
  const encoded = wrap(encode(content.replaceAll(/\r?\n/g, '\r\n')), lineOctets);
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${encoded}`;
}

/**
 * One line in which nothing is an encoded word (RFC 2047 §2): the library passes ASCII on as it is, and a reader would
 * decode a name that looks like one, line ends and all.
 */
function withoutEncodedWords(text: string): string {
  return plainLine(text).replaceAll('=?', '= ?');
}
