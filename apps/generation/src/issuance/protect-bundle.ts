import { randomInt } from 'node:crypto';
import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import { type Pkcs12Writer, preparePkcs12 } from '@rubrica/pki';
import type { Keyring } from '@rubrica/process/keyring';
import { IssuanceFailed } from './issuance-failed.ts';

type PasswordOrder = Pick<issuanceContract.IssuanceOrder, 'sealedPassword' | 'passwordOrigin'>;

/** Iterations of the key derivations of a PKCS#12 file, for key and MAC, by the origin of the password. */
export interface Pkcs12Iterations {
  readonly service: number;
  readonly partner: number;
  readonly applicant: number;
}

interface ProtectOptions {
  readonly requestId: string;
  readonly iterations: Pkcs12Iterations;
  readonly keyring: Pick<Keyring, 'openText'>;
}

/** Prepares the password of the file and the keys derived from it, for one file. */
export async function protectBundle(
  order: PasswordOrder & Pick<issuanceContract.IssuanceOrder, 'legacyPkcs12'>,
  options: ProtectOptions,
): Promise<{ password: string; write: Pkcs12Writer }> {
  const password = await resolveBundlePassword(order, options);
  const encoding = order.legacyPkcs12 ? 'legacy' : 'modern';
  const iterations = selectIterations(order, options.iterations);
  return { password, write: await preparePkcs12({ password, encoding, iterations }) };
}

/** Seals JSON `{file, password}`: base64 of the PKCS#12, and its password. */
export function sealBundle(
  { file, password }: { file: Uint8Array; password: string },
  { requestId: owner, keyring }: { readonly requestId: string; readonly keyring: Pick<Keyring, 'sealTo'> },
): Promise<string> {
  return keyring.sealTo(
    'generation',
    JSON.stringify({ file: Buffer.from(file).toString('base64'), password }),
    { purpose: 'bundle', owner },
  );
}

/** Characters without ambiguous letters and digits; ASCII, so that every program accepts it. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Creates a password of 20 characters, 116 random bits. */
export function createBundlePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Opens the password of the order, which is sealed to this service, or creates one where the order requires it. */
export async function resolveBundlePassword(
  { sealedPassword, passwordOrigin }: PasswordOrder,
  { requestId: owner, keyring }: Pick<ProtectOptions, 'requestId' | 'keyring'>,
): Promise<string> {
  if (sealedPassword !== null)
    return keyring.openText(sealedPassword, { purpose: 'certificate-password', owner });
  if (passwordOrigin === 'SERVICE') return createBundlePassword();
  throw new IssuanceFailed('P12_PACKAGING_FAILED', { reason: `no password of ${passwordOrigin}` });
}

/**
 * Selects the iterations. Passwords that are easier to guess need more: a person's most, a program's fewer, the 116
 * random bits of this service none. A password that came with the order is never treated as created here, whatever the
 * order states.
 */
export function selectIterations(order: PasswordOrder, iterations: Pkcs12Iterations): number {
  if (order.sealedPassword === null) return iterations.service;
  return order.passwordOrigin === 'HOLDER' ? iterations.applicant : iterations.partner;
}
