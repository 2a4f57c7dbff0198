import PostalMime from 'postal-mime';

export interface MailContent {
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
}

/** @param source as it came over the wire, an octet a character */
export async function readMail(source: string): Promise<MailContent> {
  const mail = await PostalMime.parse(Buffer.from(source, 'latin1'));
  return { subject: mail.subject ?? null, text: mail.text?.trimEnd() ?? '', html: mail.html ?? null };
}
