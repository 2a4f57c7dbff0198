import { TRPCError } from '@trpc/server';
import type { Msg } from 'nats';
import { unpackBody } from '../wire/attachments.ts';
import { readBundle } from '../wire/bundle.ts';
import {
  attachmentsHeader,
  bundleHeader,
  deadlineHeader,
  type Headers,
  idHeader,
  typeHeader,
} from '../wire/headers.ts';
import { readHeaders } from '../wire/read-headers.ts';
import { isSubject } from '../wire/subjects.ts';

/** Call as it was received. */
export interface Call {
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly headers: Headers;
  /** Number that the caller assigned; undefined if it sent none. */
  readonly id: number | undefined;
  /** Remaining time of the caller, in ms; undefined if it sent none. */
  readonly remainingMs: number | undefined;
  /** Parsed JSON with its attachments, before the router's transformer. */
  readonly input: unknown;
}

type Received = Pick<Msg, 'subject' | 'reply' | 'headers' | 'data'>;
type Body = Pick<Msg, 'data'>;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const wholeMs = /^\d{1,9}$/;
const callNumber = /^\d{1,15}$/;

/** Decodes a call; throws a `TRPCError` whose message may be sent to the caller. */
export function decodeCall({ data }: Body, path: string, headers: Headers): Call {
  assertPath(path);
  return {
    path,
    type: decodeType(headers[typeHeader]),
    headers,
    id: decodeId(headers[idHeader]),
    remainingMs: decodeRemaining(headers[deadlineHeader]),
    input: decodeInput(data, headers[attachmentsHeader]),
  };
}

/** Tells whether a message with these headers holds several calls. */
export function isBundle(headers: Headers): boolean {
  return headers[bundleHeader] !== undefined;
}

/** Decodes the calls of one message, all queries of one procedure with one deadline. Throws like `decodeCall`. */
export function decodeBundle(data: Uint8Array, path: string, headers: Headers): Call[] {
  assertPath(path);
  const type = decodeType(headers[typeHeader]);
  if (type !== 'query') {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: 'Only queries travel together' });
  }
  const remainingMs = decodeRemaining(headers[deadlineHeader]);
  const body = decodeInput(data, headers[attachmentsHeader]);
  try {
    const calls = readBundle(body, Number(headers[bundleHeader]));
    return calls.map((one) => ({ path, type, remainingMs, ...one }));
  } catch {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'The calls of the message cannot be read' });
  }
}

function assertPath(path: string): void {
  if (!isSubject(path)) throw new TRPCError({ code: 'BAD_REQUEST', message: 'Not a procedure path' });
}

/** Decodes the headers. Throws a `TRPCError` if the block is malformed. */
export function decodeHeaders(message: Received): Headers {
  try {
    return readHeaders(message);
  } catch {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'The headers cannot be read' });
  }
}

function decodeType(type: string | undefined): Call['type'] {
  if (type === 'query' || type === 'mutation') return type;
  if (type === 'subscription') {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: 'The bus carries no subscriptions' });
  }
  throw new TRPCError({ code: 'BAD_REQUEST', message: `Header ${typeHeader} must be "query" or "mutation"` });
}

function decodeId(id: string | undefined): number | undefined {
  if (id === undefined) return undefined;
  if (callNumber.test(id)) return Number(id);
  throw new TRPCError({
    code: 'BAD_REQUEST',
    message: `Header ${idHeader} must be a number of 1 to 15 digits`,
  });
}

function decodeRemaining(remaining: string | undefined): number | undefined {
  if (remaining === undefined) return undefined;
  if (wholeMs.test(remaining)) return Number(remaining);
  throw new TRPCError({
    code: 'BAD_REQUEST',
    message: `Header ${deadlineHeader} must be whole milliseconds`,
  });
}

function decodeInput(body: Uint8Array, attachments: string | undefined): unknown {
  if (body.length === 0) return undefined;
  try {
    return unpackBody(body, attachments, utf8);
  } catch {
    // The parser's own message quotes the input.
    throw new TRPCError({ code: 'PARSE_ERROR', message: 'The input is not JSON in UTF-8' });
  }
}
