import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { maxRecoveredDays, recoverEventsShape } from '@rubrica/contracts/rest/lists';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { fieldFault } from '@rubrica/process/errors';
import { createOperationBodyPlan } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { createInvalidDate, readInstant } from './list-query.ts';

/** Resends all failed events since an instant, some thousands per call to the notifier. */
export function createRecoverEvents(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'limits' | 'timeZone' | 'clock'>,
): Handler {
  const plan = createOperationBodyPlan('recoverEvents', deps.limits);
  return async (request) => {
    const { fields } = await deps.readJsonBody(request, plan);
    const range = readRange(fields, deps);
    const total = { resent: 0, expired: 0 };
    for (let after: string | undefined; ; ) {
      const input = { ...range, ...(after !== undefined && { after }) };
      const recovered = await deps.peers.notifier['events.recover'](input, { for: requirePartner(request) });
      total.resent += recovered.resent;
      total.expired += recovered.expired;
      if (recovered.after === null) return total;
      after = recovered.after;
    }
  };
}

/**
 * Reads the range.
 * @throws AppError with all faults
 */
function readRange(
  fields: Readonly<Record<string, unknown>>,
  { timeZone, clock }: Pick<RestDeps, 'timeZone' | 'clock'>,
): { readonly from: string; readonly to: string } {
  const { values, faults } = parseFields(recoverEventsShape, fields);
  const now = clock();
  const parseInstant = (text: string | undefined) => text && readInstant(text, timeZone);
  const from = parseInstant(values.from);
  const to = values.to === undefined ? now.toISOString() : parseInstant(values.to);
  const oldest = new Date(now.getTime() - maxRecoveredDays * DAY_MS).toISOString();
  const createFault = (field: string, text: ErrorText) => fieldFault('FIELD_INVALID', field, text);
  const rangeFaults: ErrorDetail[] = [
    ...(values.from !== undefined && from === undefined ? [createInvalidDate('from', values.from)] : []),
    ...(values.to !== undefined && to === undefined ? [createInvalidDate('to', values.to)] : []),
    ...(from && from < oldest
      ? [createFault('from', createText('field.tooLongAgo', { count: maxRecoveredDays }))]
      : []),
    ...(from && to && from >= to ? [createFault('from', createText('field.before', { other: 'to' }))] : []),
  ];
  assertFaultless([...faults, ...rangeFaults]);
  return { from, to } as { readonly from: string; readonly to: string };
}
