import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';

interface DeliveryGrant {
  readonly eventId: string;
  readonly partnerId: string;
  readonly url: string;
  /** Secrets in the order of the answer. */
  readonly sealedSecrets: readonly string[];
}

/**
 * Signs the destination of an event and the secrets that sign it, for minutes. Statements are written only
 * where an attempt is granted, from verified data.
 */
export function writeDeliveryStatement(
  { eventId, partnerId, url, sealedSecrets }: DeliveryGrant,
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
