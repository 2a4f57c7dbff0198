import { isUtf8 } from 'node:buffer';
import { AppError } from '@rubrica/service';
import type { Body, BodyPlan, ReadBody } from './body.ts';
import { isStructureBounded } from './check-structure.ts';
import { judgeFields } from './measure-fields.ts';
import { assertJson } from './media-type.ts';
import { type ByteBudget, withBytes } from './read-bytes.ts';
import { takeFiles } from './take-files.ts';

const byteOrderMark = '\ufeff';

/** Reads the whole body, parses it, and takes its files out. */
export function createJsonBodyReader({ budget }: { budget: ByteBudget }): ReadBody {
  return async (request, plan) => {
    assertJson(request.headers);
    return withBytes(request, { maxBytes: plan.maxBytes, budget }, (bytes) => parseBody(bytes, plan));
  };
}

/** @throws AppError BODY_MALFORMED or BODY_TOO_LARGE */
export function parseBody(bytes: Buffer, plan: BodyPlan): Body {
  const fields = parseObject(bytes);
  const files = takeFiles(fields, plan);
  const verdict = judgeFields(fields, plan.maxFieldBytes);
  if (verdict === 'prototype-key') throw malformed('The body has a field of a name that is not allowed');
  if (verdict === 'too-large') {
    throw new AppError({
      code: 'BODY_TOO_LARGE',
      publicMessage: `The fields other than files come to more than ${plan.maxFieldBytes} bytes`,
    });
  }
  return { fields, files };
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) throw malformed('A JSON body is required; an empty one was sent');
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8');
  if (!isStructureBounded(bytes)) throw malformed('The body is nested too deeply or has too many parts');
  const value = parse(bytes.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    // Without the cause: the parser's message quotes the body.
    throw malformed();
  }
}

function malformed(publicMessage?: string): AppError {
  return new AppError({ code: 'BODY_MALFORMED', ...(publicMessage ? { publicMessage } : {}) });
}
