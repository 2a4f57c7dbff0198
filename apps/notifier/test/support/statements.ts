import { createHash } from 'node:crypto';
import * as deliveryContract from '@rubrica/contracts/services/schemas/delivery-statement';
import type { Keyring } from '@rubrica/process/keyring';

export interface Stated {
  readonly eventId: string;
  readonly partnerId: string;
  readonly url: string;
  readonly sealedSecrets: readonly string[];
}

/** As intake signs where an event may go. */
export function deliveryStatement(
  { eventId, partnerId, url, sealedSecrets }: Stated,
  { keyring, now, claims = {} }: { keyring: Keyring; now: Date; claims?: object },
): string {
  const iat = Math.floor(now.getTime() / 1_000);
  return keyring.signStatement(deliveryContract.deliveryStatementType, {
    aud: 'notifier',
    sub: eventId,
    partnerId,
    destinationSha256: sha256(url),
    secretsSha256: sha256(deliveryContract.secretsText(sealedSecrets)),
    iat,
    exp: iat + deliveryContract.deliveryStatementLifeMs / 1_000,
    ...claims,
  });
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
