import { TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter, TRPCCombinedDataTransformer } from '@trpc/server';
import { unpackBody } from '../wire/attachments.ts';
import type { BusVerdict } from '../wire/failures.ts';

/** Content of the envelope of an answer. */
export type Answer<TRouter extends AnyTRPCRouter> = Ending<TRouter> & {
  /** Number of the call that it answers, if the server named it. */
  readonly id?: number | undefined;
};

type Ending<TRouter extends AnyTRPCRouter> =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly error: TRPCClientError<TRouter> }
  /** The server ended the call, not the procedure. */
  | { readonly kind: BusVerdict }
  | { readonly kind: 'malformed'; readonly cause: Error };

export interface AnswerMessage {
  readonly data: Uint8Array;
  /** Sizes of the attachments at the end of the body. */
  readonly attachments?: string | undefined;
}

const verdicts: ReadonlySet<unknown> = new Set<BusVerdict>([
  'overloaded',
  'deadline-passed',
  'timeout',
  'not-opened',
]);

const utf8 = new TextDecoder();

/** Reads tRPC's response envelope, and `bus`, which the server sets on calls that it ends itself. */
export function readAnswer<TRouter extends AnyTRPCRouter>(
  message: AnswerMessage,
  transformer: TRPCCombinedDataTransformer | undefined,
): Answer<TRouter> {
  try {
    return readEnvelope(unpackBody(message.data, message.attachments, utf8), transformer);
  } catch (cause) {
    return { kind: 'malformed', cause: cause as Error };
  }
}

/** Reads the answer to calls that travelled together: one for each in their order, or one for all of them. */
export function readAnswers<TRouter extends AnyTRPCRouter>(
  message: AnswerMessage,
  transformer: TRPCCombinedDataTransformer | undefined,
): readonly Answer<TRouter>[] | Answer<TRouter> {
  try {
    const body = unpackBody(message.data, message.attachments, utf8);
    if (!Array.isArray(body)) return readEnvelope(body, transformer);
    return body.map((one) => readEnvelope<TRouter>(one, transformer));
  } catch (cause) {
    return { kind: 'malformed', cause: cause as Error };
  }
}

function readEnvelope<TRouter extends AnyTRPCRouter>(
  envelope: unknown,
  transformer: TRPCCombinedDataTransformer | undefined,
): Answer<TRouter> {
  const read = (value: unknown) =>
    transformer === undefined ? value : transformer.output.deserialize(value);
  let id: number | undefined;
  try {
    if (!isRecord(envelope)) throw new TypeError('the answer is no object');
    if (typeof envelope.id === 'number') id = envelope.id;
    if (isRecord(envelope.result)) return { id, kind: 'data', data: read(envelope.result.data) };
    const { bus } = envelope;
    if (isVerdict(bus)) return { id, kind: bus };
    const error = read(envelope.error);
    if (!isErrorShape(error)) throw new TypeError('the answer holds neither a result nor an error');
    return { id, kind: 'error', error: TRPCClientError.from<TRouter>({ error }) };
  } catch (cause) {
    return { id, kind: 'malformed', cause: cause as Error };
  }
}

function isVerdict(value: unknown): value is BusVerdict {
  return verdicts.has(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isErrorShape(value: unknown): value is { code: number; message: string } {
  return isRecord(value) && typeof value.code === 'number' && typeof value.message === 'string';
}
