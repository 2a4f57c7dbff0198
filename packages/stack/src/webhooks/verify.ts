import { createHmac, timingSafeEqual, verify } from 'node:crypto';
import type { VerificationKey } from './secrets.ts';

/** A key and its name for a person: `partner sandbox`. */
export interface NamedKey {
  readonly name: string;
  readonly key: VerificationKey;
}

export interface SignedCall {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Exactly the received bytes. */
  readonly body: Uint8Array;
}

export type Fault = 'MISSING_HEADER' | 'BAD_TIMESTAMP' | 'TOO_OLD' | 'TOO_NEW' | 'WRONG_SIGNATURE';

export type Verdict =
  | { readonly valid: true; readonly key: string; readonly version: 'v1' | 'v1a' }
  | { readonly valid: false; readonly fault: Fault; readonly message: string };

export interface VerificationOptions {
  /** Accepted keys; any of them may have signed. */
  readonly keys: readonly NamedKey[];
  /** Never accepted; named if one of them turns out to be the signer. */
  readonly strangers?: readonly NamedKey[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Allowed difference between the two clocks, in both directions. */
  readonly toleranceSeconds?: number;
}

export const defaultToleranceSeconds = 300;

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Checks a call against the Standard Webhooks specification and describes a fault in plain words. */
export function verifyCall(call: SignedCall, options: VerificationOptions): Verdict {
  const missing = signedHeaders.filter((name) => !call.headers[name]);
  if (missing.length > 0) {
    return toFault(
      'MISSING_HEADER',
      `not signed: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`,
    );
  }
  const timestamp = call.headers['webhook-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) {
    return toFault('BAD_TIMESTAMP', 'webhook-timestamp is not a number of seconds since 1970');
  }
  const signer = options.keys.find(({ key }) => isSignedWith(call, key));
  return judgeTime(Number(timestamp), signer, options) ?? judgeSigner(call, signer, options);
}

/** Compares in whole seconds, because a timestamp is no more precise. */
function judgeTime(
  timestamp: number,
  signer: NamedKey | undefined,
  { nowMs, toleranceSeconds = defaultToleranceSeconds }: VerificationOptions,
): Verdict | undefined {
  const age = Math.floor(nowMs / 1_000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return undefined;
  const otherwise = signer === undefined ? 'and the signature is wrong too' : 'though the signature is right';
  const bound = `${toleranceSeconds} s are allowed`;
  return age > 0
    ? toFault('TOO_OLD', `too old: signed ${age} s ago, ${bound}, ${otherwise}`)
    : toFault('TOO_NEW', `from the future: signed ${-age} s ahead of this clock, ${bound}, ${otherwise}`);
}

function judgeSigner(call: SignedCall, signer: NamedKey | undefined, options: VerificationOptions): Verdict {
  if (signer !== undefined) return { valid: true, key: signer.name, version: signer.key.version };
  const stranger = options.strangers?.find(({ key }) => isSignedWith(call, key));
  if (stranger !== undefined) {
    return toFault('WRONG_SIGNATURE', `wrong signature: made with the secret of ${stranger.name}`);
  }
  const offered = new Set(parseSignatures(call).map(({ version }) => version));
  const wanted = new Set<string>(options.keys.map(({ key }) => key.version));
  if (offered.isDisjointFrom(wanted)) {
    return toFault(
      'WRONG_SIGNATURE',
      `no signature of version ${[...wanted].join(' or ')} among those given`,
    );
  }
  const names = options.keys.map(({ name }) => name).join(', ');
  const reason = 'another secret, or id, timestamp or body were changed on the way';
  return toFault('WRONG_SIGNATURE', `wrong signature: not made with the secret of ${names} (${reason})`);
}

function toFault(fault: Fault, message: string): Verdict {
  return { valid: false, fault, message };
}

function parseSignatures({ headers }: SignedCall): Array<{ version: string; signature: string }> {
  return (headers['webhook-signature'] ?? '').split(' ').map((one) => {
    const [version = '', signature = ''] = one.split(',', 2);
    return { version, signature };
  });
}

function isSignedWith(call: SignedCall, key: VerificationKey): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = call.headers;
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), call.body]);
  const fits = createSignatureCheck(signed, key);
  return parseSignatures(call).some(({ version, signature }) => version === key.version && fits(signature));
}

/** Checks signatures of one version only: otherwise a public key could serve as a shared secret. */
function createSignatureCheck(signed: Uint8Array, key: VerificationKey): (signature: string) => boolean {
  if (key.version === 'v1a') {
    return (signature) => verify(null, signed, key.publicKey, Buffer.from(signature, 'base64'));
  }
  const expected = Buffer.from(createHmac('sha256', key.secret).update(signed).digest('base64'));
  return (signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}
