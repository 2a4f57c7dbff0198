import type { Allowance, ByteBudget } from '@rubrica/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatePartner } from '../../../auth/authenticate-partner.ts';
import type { StoredFiles } from '../../../body/files/stored-files.ts';
import type { OpenFiles } from '../../../body/read-json-body.ts';
import type { Turns } from '../../../body/turns.ts';
import type { RateLimits } from '../../../http/rate-limits.ts';
import type { AnswerFault } from '../../../http/send-error.ts';
import type { RestDeps } from '../../deps.ts';

export interface BatchDeps
  extends Pick<RestDeps, 'peers' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'> {
  readonly authenticate: AuthenticatePartner;
  readonly partnerWaitMs: RateLimits['partnerWaitMs'];
  readonly answerFault: AnswerFault;
  readonly budget: ByteBudget;
  readonly turns: Turns;
  readonly openFiles: OpenFiles;
  readonly storedFiles: StoredFiles;
  /** Of answered lines, by status. */
  readonly batchLines: { inc(labels: { readonly status: number }): void };
  /** Fires when callers should go elsewhere: a batch takes no more lines then. */
  readonly draining: AbortSignal;
}

/** One call, and what it may use. */
export interface Batch {
  readonly deps: BatchDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly allowance: Allowance;
}
