export type KeyringFault =
  | 'malformed'
  | 'unknown-key'
  | 'unknown-peer'
  | 'not-authentic'
  | 'wrong-use'
  | 'other-binding'
  | 'expired'
  | 'issuer-not-allowed';

/** Sealed value or token that cannot be used, with the reason. It reveals nothing of the content. */
export class KeyringError extends Error {
  readonly fault: KeyringFault;

  constructor(fault: KeyringFault, message: string) {
    super(message);
    this.name = 'KeyringError';
    this.fault = fault;
  }
}

/** Creates the one error for every malformed sealed message: the position of the fault is not revealed. */
export function malformedSeal(): KeyringError {
  return new KeyringError('malformed', 'this is not a sealed message');
}
