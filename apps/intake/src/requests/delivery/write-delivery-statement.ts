import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';

interface Granted {
  readonly eventId: string;
  readonly partnerId: string;
  readonly url: string;
  /** Secrets in the order of the answer. */
  readonly sealedSecrets: readonly string[];
}

/**
 * Signs where an event may go and what it is signed with, for minutes. Written where an attempt is granted, from data
 * that were verified, and nowhere else.
 */
export function writeDeliveryStatement(
  { eventId, partnerId, url, sealedSecrets }: Granted,
  { keyring, clock }: Pick<RequestsDeps, 'keyring' | 'clock'>,
): string {
  const iat = Math.floor(clock().getTime() / 1_000);
  const claims: Omit<deliveryContract.DeliveryStatement, 'iss'> = {
    aud: 'notifier',
    sub: eventId,
    partnerId,
    destinationSha256: sha256Hex(url),
    secretsSha256: sha256Hex(deliveryContract.secretsText(sealedSecrets)),
    iat,
    exp: iat + deliveryContract.deliveryStatementLifeMs / 1_000,
  };
  return keyring.signStatement(deliveryContract.deliveryStatementType, claims);
}
