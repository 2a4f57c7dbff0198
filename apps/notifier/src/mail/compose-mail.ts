import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { plainLine } from './plain-line.ts';

export interface OutgoingMail {
  readonly to: string;
  /** Stable over attempts: mail programs show a repeat as one mail. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What goes over the wire: whom the mail server is told, and header and body as octets. */
export interface ComposedMail {
  readonly envelope: ReturnType<MimeNode['getEnvelope']>;
  readonly raw: string;
}

const lineOctets = 76;

/**
 * A mail of text and HTML (RFC 2046 §5.1.4), in ASCII. The library writes the header; it would write the body too, through five streams
 * for a few kB, which took half of what a mail costs.
 * @param from `Name <address>`
 */
export function composeMail(
  { to, messageId, subject, text, html }: OutgoingMail,
  from: string,
): ComposedMail {
  const root = new MimeNode('multipart/alternative');
  root.setHeader({
    from,
    // As an object it is one address, whatever commas or brackets it may hold.
    to: { name: '', address: to },
    subject: headerLine(subject),
    'message-id': messageId,
    // RFC 3834: keeps holiday answers and mailing lists quiet.
    'auto-submitted': 'auto-generated',
  });
  // The boundary is chosen with the header.
  const header = root.buildHeaders();
  const parts = [part('plain', text), part('html', html)].map((one) => `--${root.boundary}\r\n${one}\r\n`);
  return { envelope: root.getEnvelope(), raw: `${header}\r\n\r\n${parts.join('')}--${root.boundary}--\r\n` };
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
function headerLine(text: string): string {
  return plainLine(text).replaceAll('=?', '= ?');
}
