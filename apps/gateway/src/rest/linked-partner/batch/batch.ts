import type { Allowance, ByteBudget } from '@rubrica/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatePartner } from '../../../auth/authenticate-partner.ts';
import type { OpenFileKeeper } from '../../../body/files/keep-files.ts';
import type { StoredFiles } from '../../../body/files/stored-files.ts';
import type { WorkScheduler } from '../../../body/work-scheduler.ts';
import type { RateLimits } from '../../../http/rate-limits.ts';
import type { AnswerFault } from '../../../http/send-error.ts';
import type { RestDeps } from '../../deps.ts';

export interface BatchDeps
  extends Pick<RestDeps, 'peers' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'> {
  readonly authenticate: AuthenticatePartner;
  readonly partnerWaitMs: RateLimits['partnerWaitMs'];
  readonly answerFault: AnswerFault;
  readonly budget: ByteBudget;
  readonly turns: WorkScheduler;
  readonly openFileKeeper: OpenFileKeeper;
  readonly storedFiles: StoredFiles;
  /** Counter of answered lines, by status. */
  readonly batchLines: { inc(labels: { readonly status: number }): void };
  /** Fires before the server closes: a batch then accepts no more lines. */
  readonly draining: AbortSignal;
}

/** One call with its resources. */
export interface Batch {
  readonly deps: BatchDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly allowance: Allowance;
}
