/**
 * Converts an operator's id to the handle that a passkey keeps: its 16 bytes, Base64url, which do not reveal
 * the person.
 */
export function toUserHandle(operatorId: string): string {
  return Buffer.from(operatorId.replaceAll('-', ''), 'hex').toString('base64url');
}
