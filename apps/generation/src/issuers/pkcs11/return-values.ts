/** Return values of PKCS#11 functions that this product distinguishes or names (v2.40 base specification, §5.1). */
const names: Readonly<Record<number, string>> = {
  2: 'CKR_HOST_MEMORY',
  3: 'CKR_SLOT_ID_INVALID',
  5: 'CKR_GENERAL_ERROR',
  6: 'CKR_FUNCTION_FAILED',
  48: 'CKR_DEVICE_ERROR',
  49: 'CKR_DEVICE_MEMORY',
  50: 'CKR_DEVICE_REMOVED',
  96: 'CKR_KEY_HANDLE_INVALID',
  104: 'CKR_KEY_FUNCTION_NOT_PERMITTED',
  112: 'CKR_MECHANISM_INVALID',
  130: 'CKR_OBJECT_HANDLE_INVALID',
  145: 'CKR_OPERATION_NOT_INITIALIZED',
  160: 'CKR_PIN_INCORRECT',
  163: 'CKR_PIN_EXPIRED',
  164: 'CKR_PIN_LOCKED',
  176: 'CKR_SESSION_CLOSED',
  177: 'CKR_SESSION_COUNT',
  179: 'CKR_SESSION_HANDLE_INVALID',
  224: 'CKR_TOKEN_NOT_PRESENT',
  225: 'CKR_TOKEN_NOT_RECOGNIZED',
  256: 'CKR_USER_ALREADY_LOGGED_IN',
  257: 'CKR_USER_NOT_LOGGED_IN',
  258: 'CKR_USER_PIN_NOT_INITIALIZED',
  400: 'CKR_CRYPTOKI_NOT_INITIALIZED',
  401: 'CKR_CRYPTOKI_ALREADY_INITIALIZED',
};

/** Error returned by a PKCS#11 function. */
export class Pkcs11Error extends Error {
  override readonly name = 'Pkcs11Error';
  readonly returnValue: string;
  constructor(call: string, returnValue: number) {
    const text = names[returnValue] ?? `0x${returnValue.toString(16)}`;
    super(`${call}: ${text}`);
    this.returnValue = text;
  }
}

/** Faults of the PIN, not of the token: another try would bring it closer to being locked. */
const pinFaults = new Set([
  'CKR_PIN_INCORRECT',
  'CKR_PIN_EXPIRED',
  'CKR_PIN_LOCKED',
  'CKR_USER_PIN_NOT_INITIALIZED',
]);

export function isPinFault(error: unknown): boolean {
  return error instanceof Pkcs11Error && pinFaults.has(error.returnValue);
}

/** Losses of session, token or module state, which a new session may repair. */
const losses = new Set([
  'CKR_HOST_MEMORY',
  'CKR_SLOT_ID_INVALID',
  'CKR_GENERAL_ERROR',
  'CKR_FUNCTION_FAILED',
  'CKR_DEVICE_ERROR',
  'CKR_DEVICE_MEMORY',
  'CKR_DEVICE_REMOVED',
  'CKR_KEY_HANDLE_INVALID',
  'CKR_OBJECT_HANDLE_INVALID',
  'CKR_OPERATION_NOT_INITIALIZED',
  'CKR_SESSION_CLOSED',
  'CKR_SESSION_COUNT',
  'CKR_SESSION_HANDLE_INVALID',
  'CKR_TOKEN_NOT_PRESENT',
  'CKR_TOKEN_NOT_RECOGNIZED',
  'CKR_USER_NOT_LOGGED_IN',
  'CKR_CRYPTOKI_NOT_INITIALIZED',
]);

export function isSessionLoss(error: unknown): boolean {
  return error instanceof TokenAbsent || (error instanceof Pkcs11Error && losses.has(error.returnValue));
}

/** No slot holds a token with the configured label, or it does not answer. */
export class TokenAbsent extends Error {
  override readonly name = 'TokenAbsent';
}
