import { createHash } from 'node:crypto';
import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as orderContract from '@rubrica/contracts/services/schemas/order-statement';
import { AppError, type Keyring, readStatement } from '@rubrica/process';
import type { IssuanceJob } from './lease-issuance.ts';

/** An order that intake's own signature covers in full. */
export interface SignedOrder extends Omit<issuanceContract.IssuanceOrder, 'statement'> {
  /** SHA-256 of the statement, hex: for the audit log. Null where none was required. */
  readonly statementSha256: string | null;
}

interface Expected extends IssuanceJob {
  readonly orderStatements: 'required' | 'accepted';
}

const kind = {
  type: orderContract.orderStatementType,
  issuer: 'intake',
  schema: orderContract.orderStatementSchema,
};

/**
 * Reads what was ordered for one attempt: nothing of it counts that the statement does not say.
 * @throws OrderNotSigned
 */
export function readOrder(
  answer: issuanceContract.IssuanceOrder,
  { requestId, attempt, orderStatements }: Expected,
  keyring: Pick<Keyring, 'verifyStatement'>,
): SignedOrder {
  const { statement, ...order } = answer;
  if (statement === undefined) {
    if (orderStatements === 'accepted') return { ...order, statementSha256: null };
    throw notSigned('the order has no statement');
  }
  // It holds for good: an order is issued again after any failure, however late.
  const read = readStatement(statement, kind, { keyring, nowMs: 0 });
  if (read.kind === 'refused') throw notSigned('its statement is not valid', read.error);
  const { claims: stated } = read;
  if (stated.requestId !== requestId || stated.attempt !== attempt)
    throw notSigned('its statement is for another attempt');
  const different = differences(order, stated);
  if (different.length > 0) throw notSigned(`its statement does not cover ${different.join(', ')}`);
  return { ...order, statementSha256: sha256(statement) };
}

/** Names of the parts of an order that are not as stated. */
function differences(
  order: Omit<issuanceContract.IssuanceOrder, 'statement'>,
  stated: orderContract.OrderStatement,
): string[] {
  const { subject, sealedPassword, hasWebhook, ...plain } = order;
  const covered: Partial<orderContract.OrderStatement> = {
    ...plain,
    subjectSha256: sha256(orderContract.subjectText(subject)),
    passwordSha256: sealedPassword === null ? null : sha256(sealedPassword),
  };
  const different = Object.entries(covered)
    .filter(([name, value]) => stated[name as keyof orderContract.OrderStatement] !== value)
    .map(([name]) => name);
  return hasWebhook === (stated.callbackSha256 !== null) ? different : [...different, 'callbackSha256'];
}

/** An order that intake has not signed as it stands. Nothing is issued; the job waits for one that is signed. */
export class OrderNotSigned extends AppError {}

function notSigned(reason: string, cause?: Error): OrderNotSigned {
  return new OrderNotSigned({
    code: 'SERVICE_UNAVAILABLE',
    cause: new Error(reason, { cause }),
    retryAfterSeconds: 5,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
