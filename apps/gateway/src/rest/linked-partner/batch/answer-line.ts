import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import type { SealedBody } from '../../../body/body.ts';
import { normalizeValue } from '../../../fields/parse-fields.ts';
import { computeRetryAfter } from '../../../http/send-error.ts';
import type { DryRunMode } from '../../requests/dry-run.ts';
import { assertScope } from '../../scope.ts';
import { createRegisterOne } from '../register-linked-partner.ts';
import type { BatchDeps } from './batch.ts';
import type { LineReader } from './read-line.ts';

/** Line as read: its body, or the reason why it has none. */
export type ReadLine = { readonly body: SealedBody } | { readonly error: unknown };

export function readBodyOfLine(reader: LineReader): ReadLine {
  try {
    return { body: reader.end() };
  } catch (error) {
    return { error };
  }
}

/** Returns the reference as intake compares it; undefined where the line has none. */
export function readReference({ fields: { referenceTransaction } }: SealedBody): string | undefined {
  const value = normalizeValue('referenceTransaction', referenceTransaction);
  return typeof value === 'string' ? value : undefined;
}

export interface LineAnswer {
  readonly status: number;
  readonly retryAfter?: number;
  readonly body: object;
}

export function formatAnswerLine(line: number, { status, retryAfter, body }: LineAnswer): string {
  return `${JSON.stringify({ line, status, ...(retryAfter === undefined ? {} : { retryAfter }), body })}\n`;
}

interface LineContext {
  readonly deps: Pick<BatchDeps, 'answerFault' | 'limits'>;
  readonly request: FastifyRequest;
}

function toFaultAnswer(error: unknown, { deps, request }: LineContext): LineAnswer {
  const { fault, status, body } = deps.answerFault(error, request);
  const seconds = computeRetryAfter(fault);
  return { status, body: body(), ...(seconds === undefined ? {} : { retryAfter: seconds }) };
}

/** Creates the answer to the first line beyond the limit. */
export function createOverflowAnswer(call: LineContext): LineAnswer {
  const text = createText('call.batchTooLong', {
    count: call.deps.limits.batchLines,
  });
  return toFaultAnswer(new AppError({ code: 'BODY_TOO_LARGE', text }), call);
}

/** Creates the registration of a line. The caller is authenticated for each line: a token may expire during a batch. */
export function createRegisterLine(deps: BatchDeps, request: FastifyRequest, dryRun: DryRunMode) {
  const registerOne = createRegisterOne(deps);
  const { language } = request.call;
  return async (line: ReadLine): Promise<LineAnswer> => {
    try {
      const caller = await deps.authenticate(request.headers.authorization);
      assertScope(caller, 'collector:write');
      if ('error' in line) throw line.error;
      return { status: 200, body: await registerOne(line.body, { asked: dryRun, caller, language }) };
    } catch (error) {
      return toFaultAnswer(error, { deps, request });
    }
  };
}
