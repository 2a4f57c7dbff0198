import { randomInt } from 'node:crypto';
import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import { IssuanceFailed } from './issuance-failed.ts';

/** Characters without ambiguous letters and digits; ASCII, so that every program accepts it. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Creates a password of 20 characters, 116 random bits. */
export function createBundlePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Opens the password of the order, which is sealed to this service, or creates one where the order requires it. */
export async function resolveBundlePassword(
  order: Pick<issuanceContract.IssuanceOrder, 'sealedPassword' | 'passwordOrigin'>,
  open: (sealed: string) => Promise<string>,
): Promise<string> {
  if (order.sealedPassword !== null) return open(order.sealedPassword);
  if (order.passwordOrigin === 'SERVICE') return createBundlePassword();
  throw new IssuanceFailed('P12_PACKAGING_FAILED', { reason: `no password of ${order.passwordOrigin}` });
}
