import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as orderContract from '@rubrica/contracts/services/schemas/order-statement';
import type { Keyring } from '@rubrica/process';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { Decision } from '../request/registered/decision.ts';
import { computePasswordSha256 } from '../request/registered/registered-data.ts';

interface OrderStatementInput {
  readonly order: Omit<issuanceContract.IssuanceOrder, 'statement'>;
  readonly callbackUrl: string | null;
  readonly decision: Decision;
}

/**
 * Signs the order of one certificate, from verified data and a decision in force. It is the same at each
 * call, so it is stored nowhere, and restoring an earlier database invalidates none.
 */
export function writeOrderStatement(
  { order, callbackUrl, decision }: OrderStatementInput,
  { keyring }: { readonly keyring: Pick<Keyring, 'signStatement'> },
): string {
  const { subject, sealedPassword, hasWebhook: _hasWebhook, ...plain } = order;
  const claims: Omit<orderContract.OrderStatement, 'iss'> = {
    aud: 'generation',
    iat: Math.floor(Date.parse(decision.at) / 1_000),
    ...plain,
    subjectSha256: sha256Hex(orderContract.subjectText(subject)),
    passwordSha256: computePasswordSha256(sealedPassword),
    callbackSha256: callbackUrl === null ? null : sha256Hex(callbackUrl),
    checks: [...decision.checks],
    approvals: [...decision.approvals],
  };
  return keyring.signStatement(orderContract.orderStatementType, claims);
}
