import type { OperationId } from '@rubrica/contracts/rest/operations';
import type { JsonObject } from '@rubrica/openapi/json';
import type { Placed } from './collection-types.ts';

/**
 * What operations may answer, other than 200, to the collection run from top to bottom: steps of a request whose turn has not
 * come or is over. All others succeed.
 */
const otherwise: Partial<Record<OperationId, readonly number[]>> = {
  retryLinkedPartner: [409],
  cancelLinkedPartner: [409],
  resendValidationLink: [409],
  correctRegular: [409],
  transactionalCertificate: [404, 409],
  cancelSimplified: [409],
  issueSignature: [409],
  revokeCertificate: [404, 409],
  renewCertificate: [404, 409],
  renewCertificateDryRun: [404, 409],
  // Of an account without events.
  readEvent: [404],
  resendEvent: [404, 409],
};

/** What the answer to one request may be: its status, and by status the schema of its body; null is no JSON. */
export interface Expectation {
  readonly [status: string]: JsonObject | null;
}

/** By the name of the request in the collection. */
export function expectationsOf(placed: readonly Placed[]): Readonly<Record<string, Expectation>> {
  return Object.fromEntries(placed.map(({ operation }) => [operation.summary, expectationOf(operation)]));
}

function expectationOf({ operationId, responses }: Placed['operation']): Expectation {
  const others: readonly number[] = Object.entries(otherwise).find(([id]) => id === operationId)?.[1] ?? [];
  return Object.fromEntries(
    [200, ...others].map((status) => {
      const content = responses[String(status)]?.content ?? {};
      return [status, content['application/json']?.schema ?? null];
    }),
  );
}
