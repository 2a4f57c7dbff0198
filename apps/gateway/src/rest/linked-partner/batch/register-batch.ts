import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError, discardBody } from '@rubrica/process';
import { createOwnerCounts } from '@rubrica/wiring/shares';
import type { FastifyRequest } from 'fastify';
import { parseMediaType } from '../../../body/media-type.ts';
import { callerName, listCallerKeys } from '../../../http/caller-keys.ts';
import type { Handler } from '../../../http/handler.ts';
import { setLanguageHeaders } from '../../../http/localize.ts';
import type { Batch, BatchDeps } from './batch.ts';
import { readChunks } from './read-chunks.ts';
import { createLines } from './take-lines.ts';

/** Maximum compressed size of unread answers. */
const answersBytes = 1024 * 1024;
/** Maximum open batches of one partner in this copy: each may take hours and holds memory, even with little data. */
const maxOpenBatches = 8;
const retryAfterSeconds = 30;

/**
 * Registers each line of a batch separately and answers in order. The body is read even if the answers are not, at the
 * speed of the registrations.
 */
export function createRegisterBatch(deps: BatchDeps): Handler {
  const open = createOwnerCounts();
  return async (request, reply) => {
    assertNdjson(request);
    const keys = listCallerKeys(request);
    const caller = callerName(keys);
    if (open.of(caller) >= maxOpenBatches) throw createTooManyOpen();
    const allowance = deps.budget.of(keys);
    allowance.take(answersBytes);
    open.add(caller);
    try {
      await answerBatch({ deps, request, reply, allowance });
    } finally {
      open.remove(caller);
      allowance.give(answersBytes);
    }
  };
}

function createTooManyOpen(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    text: createText('call.batchesTooMany'),
    retryAfterSeconds,
  });
}

function assertNdjson({ raw }: FastifyRequest): void {
  if (parseMediaType(raw.headers) === 'application/x-ndjson') return;
  throw new AppError({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    text: createText('call.bodyNotNdjson'),
  });
}

async function answerBatch(batch: Batch): Promise<void> {
  const { deps, request, reply } = batch;
  const gone = new AbortController();
  const stop = AbortSignal.any([deps.draining, gone.signal]);
  const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
  void closed.then(() => gone.abort());
  const lines = createLines(batch, stop);
  setLanguageHeaders(request.call.language, reply).type('application/x-ndjson').send(lines.answers);
  const silenceMs = deps.limits.batchSilenceSeconds * 1000;
  const isComplete = await readChunks(request.raw, { silenceMs, stop: lines.stop }, lines.take);
  if (isComplete) await lines.endOfBody();
  await lines.finish();
  // The answer ends before the body, so a caller that is still sending must be able to see it.
  if (!deps.draining.aborted) discardBody(request.raw, silenceMs);
  await closed;
}
