import { statement } from '@rubrica/database';
import { requestNotFound } from '../../../base/errors.ts';

interface RenewedCertificate {
  readonly referenceTransaction: string;
  readonly serialNumber: string;
}

const find = statement<{ readonly requestId: string }, RenewedCertificate>({
  name: 'find-renewal-of',
  sql: `
select former.reference_transaction as "referenceTransaction", former.serial_number as "serialNumber"
from request join request as former on former.id = request.renewal_of where request.id = :requestId`,
});

/** Finds the certificate that a request renews. @throws AppError REQUEST_NOT_FOUND if it renews none */
export async function findRenewedCertificate(
  database: Parameters<typeof find.run>[0],
  requestId: string,
): Promise<RenewedCertificate> {
  const [found] = await find.run(database, { requestId });
  if (found === undefined) throw requestNotFound();
  return found;
}
