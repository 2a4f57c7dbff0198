import { type Database, isDatabaseUnavailable } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { FenceLost } from '@rubrica/database/lease';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { KeyPools } from '../key-pool/key-pools.ts';
import { adoptCertificate, announceAgain } from './announce-again.ts';
import { crashPoints } from './crash-points.ts';
import { IssuanceFailed } from './issuance-failed.ts';
import { askForOrder, type IssueCertificateDeps, issueCertificate } from './issue-certificate.ts';
import { type IssuanceJob, type LeasedIssuance, leaseIssuance } from './lease-issuance.ts';
import { OrderNotSigned } from './read-order.ts';

export interface RunIssuanceDeps extends Omit<IssueCertificateDeps, 'keyPool'> {
  readonly database: Pick<Database, 'statement' | 'transaction' | 'entries'>;
  readonly rows: Pick<RowGuard, 'reportFailed'>;
  readonly keyPool: Pick<KeyPools, 'take'>;
  readonly logger: Logger;
  readonly rules: IssueCertificateDeps['rules'] & {
    readonly leaseSeconds: number;
    readonly maxStarts: number;
  };
}

/** Outcome of a job. `done`: acknowledge. `later`: requeue with the delay. */
export type RunOutcome =
  | { kind: 'done'; result: 'issued' | 'failed' | 'obsolete' | 'repeated' | 'adopted' }
  | { kind: 'later'; reason: 'busy' | 'unavailable' | 'fence-lost' | 'fault'; delayMs: number };

/** Processes one job, or returns when to retry. Never throws. */
export function createRunIssuance(deps: RunIssuanceDeps): (job: IssuanceJob) => Promise<RunOutcome> {
  return async (job) => {
    try {
      return await run(deps, job);
    } catch (err) {
      // The database is unavailable, or another copy was faster. Nothing is lost: the job is redelivered.
      const reason =
        err instanceof FenceLost ? 'fence-lost' : isDatabaseUnavailable(err) ? 'unavailable' : 'fault';
      deps.logger.warn({ err, reason, requestId: job.requestId, attempt: job.attempt }, 'issuance postponed');
      return { kind: 'later', reason, delayMs: 2_000 };
    }
  };
}

async function run(deps: RunIssuanceDeps, job: IssuanceJob): Promise<RunOutcome> {
  const order = askForOrder(deps, job);
  const lease = await leaseIssuance(deps.database, job, deps.rules.leaseSeconds);
  switch (lease.kind) {
    case 'busy':
      return { kind: 'later', reason: 'busy', delayMs: 2_000 };
    case 'finished':
      await announceAgain(deps.database, job);
      return { kind: 'done', result: 'repeated' };
    case 'gone':
      deps.rows.reportFailed({ table: 'certificate', id: `of request ${job.requestId}` });
      return { kind: 'done', result: 'repeated' };
    case 'certified':
      await adoptCertificate(deps.database, lease.issuance, lease.certificateId);
      return { kind: 'done', result: 'adopted' };
    case 'leased':
      return issueLeased(deps, lease.issuance, order);
  }
}

async function issueLeased(
  deps: RunIssuanceDeps,
  leased: LeasedIssuance,
  order: ReturnType<typeof askForOrder>,
): Promise<RunOutcome> {
  if (leased.starts > deps.rules.maxStarts) {
    return fail(
      deps,
      leased,
      new IssuanceFailed('INTERNAL_ERROR', { reason: `${leased.starts - 1} starts came to nothing` }),
    );
  }
  try {
    await issueCertificate(deps, leased, order);
    return { kind: 'done', result: 'issued' };
  } catch (error) {
    if (error instanceof IssuanceFailed) return fail(deps, leased, error);
    if (error instanceof AppError && isObsolete(error)) {
      await deps.ledger.recordObsolete(leased);
      return { kind: 'done', result: 'obsolete' };
    }
    if (error instanceof FenceLost || isDatabaseUnavailable(error)) throw error;
    if (error instanceof OrderNotSigned) {
      const { requestId, attempt } = leased;
      deps.logger.error({ err: error, requestId, attempt }, 'unsigned order postponed');
    }
    const isUnavailable = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
    // An unavailable peer is not the fault of this certificate; any other failure counts, so that retries end.
    await deps.ledger.postpone(leased, { isCounted: !isUnavailable });
    if (!isUnavailable) throw error;
    return { kind: 'later', reason: 'unavailable', delayMs: (error.retryAfterSeconds ?? 2) * 1_000 };
  }
}

/** Returns whether intake has moved on: the request was retried or refused, or no longer exists. */
function isObsolete({ code }: AppError) {
  return code === 'REQUEST_STATE_NOT_ALLOWED' || code === 'REQUEST_NOT_FOUND';
}

async function fail(
  deps: RunIssuanceDeps,
  leased: LeasedIssuance,
  failure: IssuanceFailed,
): Promise<RunOutcome> {
  const { code, reason, cause } = failure;
  const { requestId, attempt } = leased;
  deps.logger.warn({ requestId, attempt, code, reason, err: cause }, 'issuance failed');
  await deps.ledger.recordFailed(leased, { code, reason });
  crashpoint(crashPoints.afterFailure);
  return { kind: 'done', result: 'failed' };
}
