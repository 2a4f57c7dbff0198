export type KeyringFault =
  | 'malformed'
  | 'unknown-key'
  | 'unknown-peer'
  | 'not-authentic'
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
