import PostalMime from 'postal-mime';

export interface MailContent {
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
}

/**
 * What cannot be read, such as parts in hundreds of parts, is shown as it came.
 * @param source as it came over the wire, an octet a character
 */
export async function readMail(source: string): Promise<MailContent> {
  try {
    const { subject = null, text = '', html = null } = await PostalMime.parse(Buffer.from(source, 'latin1'));
    return { subject, text: text.trimEnd(), html };
  } catch {
    return { subject: null, text: source, html: null };
  }
}
