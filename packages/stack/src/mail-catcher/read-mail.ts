import PostalMime from 'postal-mime';

export interface MailContent {
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
}

/**
 * Parses a mail. An unreadable mail, such as parts nested hundreds of levels deep, is shown as its source.
 * @param source the received mail, one character per octet
 */
export async function readMail(source: string): Promise<MailContent> {
  try {
    const { subject = null, text = '', html = null } = await PostalMime.parse(Buffer.from(source, 'latin1'));
    return { subject, text: text.trimEnd(), html };
  } catch {
    return { subject: null, text: source, html: null };
  }
}
