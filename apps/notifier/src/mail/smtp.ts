export type OutgoingMail = {
  to: string;
  /** Stable over attempts: mail programs show a repeat as one mail. */
  messageId: string;
  subject: string;
  text: string;
  html: string;
};

export type MailTransport = {
  /** Resolves when the server has taken the mail. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

export type SmtpOptions = {
  /** `smtp://` or `smtps://`, with user and password where the server asks for them. */
  url: string;
  /** `Name <address>` */
  from: string;
  maxConnections: number;
};

/**
 * A pooled SMTP transport. Content comes from memory only: no field can make it read a file or an address.
 * The client is loaded with the first mail: a copy that sends none does not carry it in memory.
 */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  let opened: ReturnType<typeof openPool> | undefined;
  return {
    async send({ to, ...content }) {
      opened ??= openPool(options);
      const pool = await opened;
      await pool.sendMail({
        ...content,
        from: options.from,
        // As an object it is one address, whatever commas or brackets it may hold.
        to: { name: '', address: to },
        // RFC 3834: keeps holiday answers and mailing lists quiet.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => void opened?.then((pool) => pool.close()),
  };
}

async function openPool({ url, maxConnections }: SmtpOptions) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The address part of `Name <address>`; the domain of Message-IDs. */
export function domainOf(from: string): string {
  return /@([^@<>\s]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/**
 * What a failed attempt means. A 5yz reply to envelope or content is final (RFC 5321 §4.2.1); refused
 * credentials are ours to repair and must not cost the applicant the mail.
 */
export function explainSmtpError(error: unknown): { final: boolean; text: string } {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const final = (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  const what = responseCode === undefined ? (code ?? 'no connection') : String(responseCode);
  // The server's words may repeat the recipient's address, which is not kept here.
  return { final, text: `the mail server ${final ? 'refused' : 'did not take'} the mail (${what})` };
}
