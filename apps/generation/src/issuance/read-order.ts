import { createHash } from 'node:crypto';
import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as orderContract from '@rubrica/contracts/services/schemas/order-statement';
import { AppError } from '@rubrica/process/errors';
import { type Keyring, readStatement } from '@rubrica/process/keyring';
import type { IssuanceJob } from './lease-issuance.ts';

/** Order that intake's signature covers completely. */
export interface SignedOrder extends Omit<issuanceContract.IssuanceOrder, 'statement'> {
  /** SHA-256 of the statement, hex, for the audit log. Null where none was required. */
  readonly statementSha256: string | null;
}

interface ExpectedOrder extends IssuanceJob {
  readonly orderStatements: 'required' | 'accepted';
}

const kind = {
  type: orderContract.orderStatementType,
  issuer: 'intake',
  schema: orderContract.orderStatementSchema,
};

/**
 * Reads the order of one attempt; only what the statement covers counts.
 * @throws OrderNotSigned
 */
export function readOrder(
  answer: issuanceContract.IssuanceOrder,
  { requestId, attempt, orderStatements }: ExpectedOrder,
  keyring: Pick<Keyring, 'verifyStatement'>,
): SignedOrder {
  const { statement, ...order } = answer;
  if (statement === undefined) {
    if (orderStatements === 'accepted') return { ...order, statementSha256: null };
    throw createNotSigned('the order has no statement');
  }
  // The statement never expires: an order is issued again after any failure, however late.
  const read = readStatement(statement, kind, { keyring, nowMs: 0 });
  if (read.kind === 'refused') throw createNotSigned('its statement is not valid', read.error);
  const { claims: stated } = read;
  if (stated.requestId !== requestId || stated.attempt !== attempt)
    throw createNotSigned('its statement is for another attempt');
  const different = findDifferences(order, stated);
  if (different.length > 0) throw createNotSigned(`its statement does not cover ${different.join(', ')}`);
  return { ...order, statementSha256: sha256(statement) };
}

/** Returns the names of the parts that differ from the statement. */
function findDifferences(
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

/** Order without a valid signature of intake. Nothing is issued; the job waits for a signed order. */
export class OrderNotSigned extends AppError {}

function createNotSigned(reason: string, cause?: Error): OrderNotSigned {
  return new OrderNotSigned({
    code: 'SERVICE_UNAVAILABLE',
    cause: new Error(reason, { cause }),
    retryAfterSeconds: 5,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
