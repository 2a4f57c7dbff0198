import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts/messages/messages';
import type { ServiceParts } from '@rubrica/process/runner';
import { consumeMessages } from '@rubrica/wiring';
import { exposeDueRows } from '@rubrica/wiring/database';
import { createRequestMetrics, dueQueues } from './desk/overview/request-metrics.ts';
import type { RequestsHandlerDeps } from './requests/handlers.ts';
import { createRecordFailed } from './requests/issuance/record-failed.ts';
import { createRecordIssued } from './requests/issuance/record-issued.ts';
import { createRecordStatus } from './requests/issuance/record-status.ts';
import { createValidateRequest } from './requests/validation/validate-request.ts';

interface WorkersOptions {
  readonly deps: RequestsHandlerDeps;
  readonly streams: Bus;
  readonly slots: () => number;
  /** `accepted`: events of generation count even without its signature. */
  readonly seals: 'required' | 'accepted';
}

/** Starts the consumers of waiting validations and of certificate events. */
export function startWorkers(
  { deps, streams, slots, seals }: WorkersOptions,
  { logger, metrics, runner }: ServiceParts,
): void {
  const onIssued = createRequestMetrics(deps, metrics);
  exposeDueRows(deps.database, { metrics, queues: dueQueues });
  const common = { bus: streams, slots, logger };
  const validating = consumeMessages({
    ...common,
    consumer: consumers.validationJobs,
    handlers: { 'jobs.validation.requested': createValidateRequest({ ...deps, slots }) },
  });
  runner.own('validation workers', validating.stop);
  const recording = consumeMessages({
    ...common,
    consumer: consumers.certificateEvents,
    signer: { service: 'generation', keyring: deps.keyring, required: seals === 'required' },
    handlers: {
      'events.certificate.issued': createRecordIssued({ ...deps, onIssued }),
      'events.certificate.failed': createRecordFailed(deps),
      'events.certificate.status': createRecordStatus(deps),
    },
  });
  runner.own('certificate events', recording.stop);
}
