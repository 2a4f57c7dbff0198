export type KeyringFault =
  | 'malformed'
  | 'unknown-key'
  | 'unknown-peer'
  | 'not-authentic'
  | 'wrong-use'
  | 'other-binding'
  | 'expired'
  | 'issuer-not-allowed';

/** A sealed value or token that cannot be used, and why. Says nothing of its content. */
export class KeyringError extends Error {
  readonly fault: KeyringFault;

  constructor(fault: KeyringFault, message: string) {
    super(message);
    this.name = 'KeyringError';
    this.fault = fault;
  }
}

/** One for all that is not in the form of a sealed message: where it differs is nobody's business. */
export function malformed(): KeyringError {
  return new KeyringError('malformed', 'this is not a sealed message');
}
