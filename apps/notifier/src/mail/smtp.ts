import { Readable } from 'node:stream';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { OutgoingMail } from './compose-mail.ts';
import type { DkimOptions } from './dkim.ts';

export interface MailTransport {
  /** Resolves when the server has accepted the mail; closes the connection and fails after `budgetMs`. */
  send(mail: OutgoingMail, budgetMs: number): Promise<void>;
  close(): void;
}

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password if required. */
  readonly url: string;
  /** `Name <address>` */
  readonly from: string;
  readonly maxConnections: number;
  readonly dkim?: DkimOptions | undefined;
}

/**
 * Creates a pooled SMTP transport. Content comes from memory only: no field can make it read a file or an address. The
 * client is loaded with the first mail, to save memory in a copy that sends none.
 */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  let poolPromise: ReturnType<typeof openPool> | undefined;
  return {
    async send(mail, budgetMs) {
      poolPromise ??= openPool(options);
      const { send } = await poolPromise;
      const budget = new AbortController();
      // Unlike `AbortSignal.timeout`, this creates no error for each mail long after it was sent.
      const timer = setTimeout(() => budget.abort(), budgetMs);
      try {
        await send(mail, budget.signal);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => void poolPromise?.then(({ close }) => close()),
  };
}

async function openPool({ url, from, maxConnections, dkim }: SmtpOptions) {
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
    // A connection that the server closed while idle costs no attempt. Waiting for an unavailable server is the
    // ledger's task, not the pool's.
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
        createReadStream: () => signer?.sign(raw) ?? createStream(raw),
      };
      return new Promise((resolve, reject) => {
        // The library's own front end would compose the mail again, a quarter of its cost.
        pool.send({ data: { signal }, message } as PooledMail, (error) =>
          error ? reject(error) : resolve(),
        );
      });
    },
    close: () => pool.close(),
  };
}

type PooledMail = Parameters<SMTPPool['send']>[0];
/** Part of a mail that the pool reads; read again if a connection closes before the first byte. */
type PooledMessage = Pick<
  NonNullable<PooledMail['message']>,
  'getEnvelope' | 'messageId' | 'getHeader' | 'createReadStream'
>;

/** Streams one chunk; `Readable.from` would use an iterator. */
function createStream(raw: string): Readable {
  return new Readable({
    read() {
      this.push(raw, 'latin1');
      this.push(null);
    },
  });
}

/** Returns the domain of `Name <address>`, used in Message-IDs. */
export function parseDomain(from: string): string {
  return /@([^@<>\s]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/**
 * Returns the Message-ID of all attempts at one mail, so that a repetition after a crash shows as one. `id` is that of
 * its row.
 */
export function formatMessageId(id: string, domain: string): string {
  return `<${id}@${domain}>`;
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** Subject of the server's verdict, by the command in progress. */
const judgedParts: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
};

/** Enhanced status codes (RFC 3463, RFC 7505, RFC 7372) that an operator can act on. */
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

/** Refused or missing credentials (RFC 4954 §6, RFC 3207 §4): a configuration fault that must not lose mails. */
const credentialCodes = new Set([530, 534, 535, 538]);

/**
 * Classifies a failed attempt. A 5yz reply to envelope or content is final (RFC 5321 §4.2.1), except 503, which
 * concerns the session.
 * @returns `text` is our own: the server's may contain the recipient's address, which is not stored here
 */
export function explainSmtpError(error: unknown): { final: boolean; text: string } {
  const { code, command = '', response = '', responseCode } = error as SmtpError;
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (aboutMail && responseCode === undefined)
    return { final: true, text: 'the mail cannot be sent as it is' };
  if (responseCode === undefined) {
    return { final: false, text: `the mail server did not take the mail (${explainCode(code)})` };
  }
  const final =
    aboutMail && responseCode >= 500 && responseCode !== 503 && !credentialCodes.has(responseCode);
  const enhanced = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  const reply = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
  const reason = enhanced === undefined ? undefined : reasons[enhanced];
  const subject = judgedParts[command] ?? 'the mail';
  const detail = `(${reply}${reason === undefined ? '' : `, ${reason}`})`;
  return { final, text: `the mail server ${final ? 'refused' : 'did not take'} ${subject} ${detail}` };
}

function explainCode(code: string | undefined): string {
  return code === undefined || code === 'EABORT' || code === 'ABORT_ERR' ? 'no answer in time' : code;
}
