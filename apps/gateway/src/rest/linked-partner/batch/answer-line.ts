import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import type { SealedBody } from '../../../body/body.ts';
import { clean } from '../../../fields/clean.ts';
import { retryAfterOf } from '../../../http/send-error.ts';
import type { Asked } from '../../requests/dry-run.ts';
import { assertScope } from '../../scope.ts';
import { createRegisterOne } from '../register-linked-partner.ts';
import type { BatchDeps } from './batch.ts';
import type { LineReader } from './read-line.ts';

/** A line as it was read: its body, or why it has none. */
export type ReadLine = { readonly body: SealedBody } | { readonly error: unknown };

export function bodyOf(reader: LineReader): ReadLine {
  try {
    return { body: reader.end() };
  } catch (error) {
    return { error };
  }
}

/** As intake compares them; undefined where the line has none. */
export function referenceOf({ fields: { referenceTransaction } }: SealedBody): string | undefined {
  const value = clean('referenceTransaction', referenceTransaction);
  return typeof value === 'string' ? value : undefined;
}

export interface LineAnswer {
  readonly status: number;
  readonly retryAfter?: number;
  readonly body: object;
}

export function lineOf(line: number, { status, retryAfter, body }: LineAnswer): string {
  return `${JSON.stringify({ line, status, ...(retryAfter === undefined ? {} : { retryAfter }), body })}\n`;
}

interface InCall {
  readonly deps: Pick<BatchDeps, 'answerFault' | 'limits'>;
  readonly request: FastifyRequest;
}

function faultOf(error: unknown, { deps, request }: InCall): LineAnswer {
  const { fault, status, body } = deps.answerFault(error, request);
  const seconds = retryAfterOf(fault);
  return { status, body: body(), ...(seconds === undefined ? {} : { retryAfter: seconds }) };
}

/** What the line after the last allowed is answered. */
export function refusedOverflow(call: InCall): LineAnswer {
  const text = createText('call.batchTooLong', {
    count: call.deps.limits.batchLines,
  });
  return faultOf(new AppError({ code: 'BODY_TOO_LARGE', text }), call);
}

/** The caller is looked at for each line: a token may end while a batch runs. */
export function createRegisterLine(deps: BatchDeps, request: FastifyRequest, asked: Asked) {
  const registerOne = createRegisterOne(deps);
  const { language } = request.call;
  return async (line: ReadLine): Promise<LineAnswer> => {
    try {
      const caller = await deps.authenticate(request.headers.authorization);
      assertScope(caller, 'collector:write');
      if ('error' in line) throw line.error;
      return { status: 200, body: await registerOne(line.body, { asked, caller, language }) };
    } catch (error) {
      return faultOf(error, { deps, request });
    }
  };
}
