import { randomInt } from 'node:crypto';
import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import { IssuanceFailed } from './issuance-failed.ts';

/** Without letters and digits that people mistake for each other; ASCII, so that every program takes it. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** 20 characters, 116 random bits. */
export function makePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The password the order brings, sealed to this service, or a new one where the order says so. */
export async function bundlePassword(
  order: Pick<issuanceContract.IssuanceOrder, 'sealedPassword' | 'passwordOrigin'>,
  open: (sealed: string) => Promise<string>,
): Promise<string> {
  if (order.sealedPassword !== null) return open(order.sealedPassword);
  if (order.passwordOrigin === 'SERVICE') return makePassword();
  throw new IssuanceFailed('P12_PACKAGING_FAILED', { reason: `no password of ${order.passwordOrigin}` });
}
