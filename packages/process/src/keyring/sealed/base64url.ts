import { malformedSeal } from '../keyring-error.ts';

/**
 * Decodes strict base64url (RFC 4648 §5) without padding: Node accepts other characters and stray last bits, so many
 * texts would represent one message.
 * @throws KeyringError `malformed`
 */
export function decodePart(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw malformedSeal();
  return bytes;
}
