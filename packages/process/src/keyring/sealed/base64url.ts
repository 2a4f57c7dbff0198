import { malformed } from '../keyring-error.ts';

/**
 * Strictly base64url (RFC 4648 §5) without padding: Node lets other characters and stray last bits pass, so that many
 * texts would stand for one message.
 * @throws KeyringError `malformed`
 */
export function decodePart(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw malformed();
  return bytes;
}
