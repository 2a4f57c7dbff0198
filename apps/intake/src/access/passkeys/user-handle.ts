/** What a passkey keeps of whose it is: the 16 bytes of the operator's id, Base64url; nothing that says who that is. */
export function userHandleOf(operatorId: string): string {
  return Buffer.from(operatorId.replaceAll('-', ''), 'hex').toString('base64url');
}
