import { Readable } from 'node:stream';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { OutgoingMail } from './compose-mail.ts';
import type { DkimOptions } from './dkim.ts';

export interface MailTransport {
  /** Resolves when the server has taken the mail; gives up, and breaks the connection off, after `budgetMs`. */
  send(mail: OutgoingMail, budgetMs: number): Promise<void>;
  close(): void;
}

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where the server asks for them. */
  readonly url: string;
  /** `Name <address>` */
  readonly from: string;
  readonly maxConnections: number;
  readonly dkim?: DkimOptions | undefined;
}

/**
 * A pooled SMTP transport. Content comes from memory only: no field can make it read a file or an address.
 * The client is loaded with the first mail: a copy that sends none does not carry it in memory.
 */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  let opened: ReturnType<typeof open> | undefined;
  return {
    async send(mail, budgetMs) {
      opened ??= open(options);
      const { send } = await opened;
      const budget = new AbortController();
      // Not `AbortSignal.timeout`, which would build an error for each mail, long after it was sent.
      const timer = setTimeout(() => budget.abort(), budgetMs);
      try {
        await send(mail, budget.signal);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => void opened?.then(({ close }) => close()),
  };
}

async function open({ url, from, maxConnections, dkim }: SmtpOptions) {
  const [{ default: SmtpPool }, { default: Dkim }, { createComposer }] = await Promise.all([
    import('nodemailer/lib/smtp-pool'),
    import('nodemailer/lib/dkim'),
    import('./compose-mail.ts'),
  ]);
  const compose = createComposer(from);
  const signer = dkim && new Dkim(dkim);
  const pool = new SmtpPool({
    url,
    maxConnections,
    // A connection that the server ended while it was idle costs no attempt, but a server that is away is the
    // ledger's to wait for, not the pool's.
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
  });
  return {
    send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
      const { envelope, raw } = compose(mail);
      const message: PooledMessage = {
        getEnvelope: () => envelope,
        messageId: () => mail.messageId,
        getHeader: () => mail.messageId,
        createReadStream: () => signer?.sign(raw) ?? readable(raw),
      };
      return new Promise((resolve, reject) => {
        // The library's own front composes what is composed here already: a quarter of what a mail costs.
        pool.send({ data: { signal }, message } as PooledMail, (error) =>
          error ? reject(error) : resolve(),
        );
      });
    },
    close: () => pool.close(),
  };
}

type PooledMail = Parameters<SMTPPool['send']>[0];
/** What the pool reads of a mail; once more where a connection has ended before the first octet. */
type PooledMessage = Pick<
  NonNullable<PooledMail['message']>,
  'getEnvelope' | 'messageId' | 'getHeader' | 'createReadStream'
>;

/** Of one piece; `Readable.from` would go through an iterator. */
function readable(raw: string): Readable {
  return new Readable({
    read() {
      this.push(raw, 'latin1');
      this.push(null);
    },
  });
}

/** The address part of `Name <address>`; the domain of Message-IDs. */
export function domainOf(from: string): string {
  return /@([^@<>\s]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/** Of all attempts at one mail, so that a repeat after a crash shows as one. `id` is that of its row. */
export function messageIdOf(id: string, domain: string): string {
  return `<${id}@${domain}>`;
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** What the server judged, by the command in flight. */
const judged: Readonly<Record<string, string>> = { 'MAIL FROM': 'the sender', 'RCPT TO': 'the recipient' };

/** Enhanced status codes (RFC 3463, RFC 7505, RFC 7372) whose meaning an operator can use. */
const reasons: Readonly<Record<string, string>> = {
  '5.1.1': 'no such mailbox',
  '5.1.2': 'no such domain',
  '5.1.3': 'not a valid address',
  '5.1.6': 'the mailbox has moved',
  '5.1.10': 'the domain takes no mail',
  '5.2.1': 'the mailbox is disabled',
  '5.2.2': 'the mailbox is full',
  '5.2.3': 'the mail is too large for the mailbox',
  '5.7.1': 'not allowed by the receiver',
  '5.7.26': 'neither SPF nor DKIM passed',
};

/** Refused or missing credentials (RFC 4954 §6, RFC 3207 §4): ours to repair, which must not cost anybody the mail. */
const ours = new Set([530, 534, 535, 538]);

/**
 * What a failed attempt means. A 5yz reply to envelope or content is final (RFC 5321 §4.2.1), but for 503, which
 * is about the session.
 * @returns `text` in our words: the server's may repeat the recipient's address, which is not kept here
 */
export function explainSmtpError(error: unknown): { final: boolean; text: string } {
  const { code, command = '', response = '', responseCode } = error as SmtpError;
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (aboutMail && responseCode === undefined)
    return { final: true, text: 'the mail cannot be sent as it is' };
  if (responseCode === undefined) {
    return { final: false, text: `the mail server did not take the mail (${explainCode(code)})` };
  }
  const final = aboutMail && responseCode >= 500 && responseCode !== 503 && !ours.has(responseCode);
  const enhanced = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  const reply = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
  const reason = enhanced === undefined ? undefined : reasons[enhanced];
  const what = judged[command] ?? 'the mail';
  const told = `(${reply}${reason === undefined ? '' : `, ${reason}`})`;
  return { final, text: `the mail server ${final ? 'refused' : 'did not take'} ${what} ${told}` };
}

function explainCode(code: string | undefined): string {
  return code === undefined || code === 'EABORT' || code === 'ABORT_ERR' ? 'no answer in time' : code;
}
