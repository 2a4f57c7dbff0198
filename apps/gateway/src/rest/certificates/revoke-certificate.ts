import { createText } from '@rubrica/contracts/error-texts/create-text';
import { revokeCertificateShape } from '@rubrica/contracts/rest/certificates';
import { fieldFault } from '@rubrica/process/errors';
import { formatLocalDateTime } from '@rubrica/process/time';
import { createOperationBodyPlan } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';

/** Revokes a certificate of the calling partner permanently. */
export function createRevokeCertificate(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'timeZone'>,
): Handler {
  const plan = createOperationBodyPlan('revokeCertificate', deps.limits);
  return async (request) => {
    const body = await deps.readJsonBody(request, plan);
    const { values, faults } = parseFields(revokeCertificateShape, body.fields);
    const isNamed =
      values.serialNumber !== undefined ||
      values.referenceTransaction !== undefined ||
      faults.some(({ field }) => field === 'serialNumber' || field === 'referenceTransaction');
    const namingFault = fieldFault('FIELD_REQUIRED', 'serialNumber', createText('field.orReferenceRequired'));
    // Validated completely here: nothing in the body depends on the partner's settings.
    assertFaultless(isNamed ? faults : [namingFault, ...faults]);
    const { reason, ...named } = values;
    if (reason === undefined) throw new Error('a faultless body has a reason');
    const revoked = await deps.peers.intake['certificates.revoke'](
      { ...named, reason },
      { for: requirePartner(request) },
    );
    return {
      serialNumber: revoked.serialNumber,
      status: 'REVOKED',
      revocationReason: revoked.revocationReason,
      revokedAt: formatLocalDateTime(new Date(revoked.revokedAt ?? 0), deps.timeZone),
    };
  };
}
