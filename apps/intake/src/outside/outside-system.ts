import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient, type HttpClient } from '@rubrica/process/http';
import type { Logger } from '@rubrica/process/log';
import type { z } from 'zod';
import { type BreakerPolicy, createBreaker, type Permit } from './breaker.ts';
import { type CallEnd, type Judgement, judge, verdicts } from './judge-answer.ts';
import type { OutsideMetrics } from './outside-metrics.ts';
import { readBody } from './read-body.ts';
import { type Request, tryOnce } from './try-once.ts';

export interface OutsideOptions {
  /** Name in logs and metrics. */
  readonly name: 'civil-registry' | 'tax-registry' | 'liveness';
  /** Base address, to which paths are appended. */
  readonly baseUrl: string;
  /** Bearer token of each call. */
  readonly token: string;
  /** Time for one try: name, connection, TLS, sending, waiting, reading the whole answer. */
  readonly timeoutMs: number;
  /** Time for the call with its retries and waits. */
  readonly budgetMs: number;
  readonly connections: number;
  readonly logger: Logger;
  readonly metrics: OutsideMetrics;
  readonly breaker?: BreakerPolicy;
  readonly nowMs?: () => number;
  /** Random number from 0 to 1, for the jitter. */
  readonly random?: () => number;
}

export interface OutsideCall<Value> {
  readonly method: 'GET' | 'POST';
  /** Path, which begins with `/`; the caller has escaped its values. */
  readonly path: string;
  readonly body?: unknown;
  /** Schema of the body of a found answer. */
  readonly schema: z.ZodType<Value>;
  readonly requestId: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export type OutsideAnswer<Value> =
  | { readonly outcome: 'found'; readonly value: Value }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

export interface OutsideSystem {
  /** Never throws. */
  call<Value>(call: OutsideCall<Value>): Promise<OutsideAnswer<Value>>;
  close(): Promise<void>;
}

const maxRetries = 2;
const firstWaitMs = 100;
const defaultPolicy: BreakerPolicy = { failures: 5, pauseMs: 5_000 };

/**
 * Creates a client of JSON over HTTP for an outside system, which may be slow, down or wrong. Time, tries and
 * bytes are bounded, and a system that keeps failing is left alone (README, "Registries and liveness").
 */
export function createOutsideSystem(options: OutsideOptions): OutsideSystem {
  const { name, logger, metrics, nowMs = () => performance.now() } = options;
  const breaker = createBreaker({ policy: options.breaker ?? defaultPolicy, nowMs });
  metrics.watch(name, breaker.state);
  const client = createHttpClient({ connections: options.connections });
  const settle = (permit: Permit, end: CallEnd) => {
    const state = breaker.settle(permit, verdicts[end]);
    if (state === 'open') logger.error({ peer: name, state }, 'outside system suspended');
    if (state === 'closed') logger.info({ peer: name, state }, 'outside system recovered');
  };
  return {
    async call(call) {
      const startedMs = performance.now();
      const permit = breaker.admit();
      const { end, answer } = permit ? await callWith({ options, client, permit }, call) : notCalled;
      if (permit) settle(permit, end);
      metrics.called({ system: name, outcome: end, durationMs: performance.now() - startedMs });
      return answer;
    },
    close: async () => client.close(),
  };
}

interface CallOutcome<Value> {
  readonly end: CallEnd;
  readonly answer: OutsideAnswer<Value>;
}
interface CallDeps {
  readonly options: OutsideOptions;
  readonly client: HttpClient;
  readonly permit: Permit;
}

const unavailable = { outcome: 'unavailable' } as const;
const notCalled = { end: 'resting', answer: unavailable } as const;

async function callWith<Value>(deps: CallDeps, call: OutsideCall<Value>): Promise<CallOutcome<Value>> {
  const { name, logger } = deps.options;
  const about = { peer: name, requestId: call.requestId, attempt: call.attempt };
  const { judgement, retryCount } = await tryInBudget(deps, call);
  if (judgement.kind === 'fault') {
    const { end, status, code } = judgement;
    logger.warn({ ...about, outcome: end, status, code, retryCount }, 'call to an outside system failed');
    return { end, answer: unavailable };
  }
  const read = readBody(judgement, call.schema);
  if (read.outcome !== 'invalid') return { end: read.outcome, answer: read };
  logger.warn({ ...about, outcome: 'invalid', reason: read.reason }, 'answer of an outside system rejected');
  return { end: 'invalid', answer: unavailable };
}

async function tryInBudget(
  { options, client, permit }: CallDeps,
  call: OutsideCall<unknown>,
): Promise<{ judgement: Judgement; retryCount: number }> {
  const endMs = performance.now() + options.budgetMs;
  const request = buildRequest(options, call);
  // A probe is one request: the system may be just about to recover.
  const retryLimit = permit.probe ? 0 : maxRetries;
  for (let retryCount = 0; ; retryCount++) {
    const timeoutMs = Math.min(options.timeoutMs, endMs - performance.now());
    const judgement = judge(await tryOnce(client, { ...request, timeoutMs }));
    if (judgement.kind === 'body' || !judgement.retry || retryCount >= retryLimit)
      return { judgement, retryCount };
    const waitMs = computeWaitMs(retryCount, judgement.retry.afterMs, options.random ?? Math.random);
    if (performance.now() + waitMs >= endMs) return { judgement, retryCount };
    await delay(waitMs, undefined, { signal: call.signal }).catch(() => undefined);
    options.metrics.retried(options.name);
  }
}

/**
 * Computes the wait before a retry: as asked for, or 100 ms, then 300. Up to half as much again is added at
 * random, so that copies do not come together.
 */
function computeWaitMs(retryCount: number, afterMs: number | undefined, random: () => number): number {
  return (afterMs ?? firstWaitMs * 3 ** retryCount) + random() * 0.5 * firstWaitMs * 3 ** retryCount;
}

/**
 * Builds a request that is idempotent by its key: a repeat of the same attempt, by us or after a crash, is
 * the same question.
 */
function buildRequest(
  { baseUrl, token }: OutsideOptions,
  call: OutsideCall<unknown>,
): Omit<Request, 'timeoutMs'> {
  const { method, path, body, requestId, attempt, signal } = call;
  const hasBody = body !== undefined;
  return {
    url: new URL(`${baseUrl.replace(/\/{1,9}$/, '')}${path}`),
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': 'Rubrica-Intake/1',
      'x-request-id': requestId,
      ...(hasBody && { 'content-type': 'application/json' }),
      // A GET is asked anew each time: a stored answer would be outdated.
      ...(method === 'POST' && { 'idempotency-key': `${requestId}:${attempt}` }),
    },
    body: hasBody ? JSON.stringify(body) : undefined,
    signal,
  };
}
