import type { Msg } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import type { PendingRequest } from '../connection/pending-requests.ts';
import type { RequestLane } from '../connection/request-mux.ts';
import { readAttachments } from '../wire/attachments.ts';
import type { FailureReason } from '../wire/failures.ts';
import { attachmentsHeader, type EncodedHeaders } from '../wire/headers.ts';
import { readBlock } from '../wire/read-headers.ts';
import { packContent, unpackContent } from '../wire/sealed-content.ts';
import { isSealed, type SealedCall } from '../wire/seals.ts';
import type { AnswerMessage } from './read-answer.ts';

export interface ExchangeDeps {
  readonly bus: Bus;
  readonly requests: RequestLane;
}

export interface OutgoingMessage {
  readonly headers: EncodedHeaders;
  readonly body: Uint8Array;
}

/** Message that was sent, and how. */
export interface Exchange {
  /** Undefined if it failed immediately. */
  readonly reply: string | undefined;
  /** Undefined if it was sent unsealed. */
  readonly sealed: SealedCall | undefined;
}

export type Reply =
  | { readonly kind: 'answer'; readonly message: AnswerMessage }
  /** Unsealed fault of a service that has not read the call. */
  | { readonly kind: 'fault'; readonly reason: FailureReason }
  /** Refusal by a copy of a release without seals: it has not read the call. */
  | { readonly kind: 'knows-no-seals' }
  /** Answer to another call, or a forgery. */
  | { readonly kind: 'foreign' };

/** Sends a message, sealed if the bus has seals. Throws if it cannot be sealed. */
export function sendMessage(
  { bus, requests }: ExchangeDeps,
  request: PendingRequest,
  { message, inClear = false }: { readonly message: OutgoingMessage; readonly inClear?: boolean },
): Exchange {
  const { headers, body } = message;
  if (bus.seals === undefined || inClear) {
    return { reply: requests.send(request, body, headers), sealed: undefined };
  }
  const sealed = bus.seals.sealCall(request.subject, packContent({ block: headers.encode(), body }));
  return { reply: requests.send(request, sealed.bytes), sealed };
}

/** Reads a reply. An unsealed answer to a sealed call can be one of a few faults and never data. */
export function readReply(message: Msg, { sealed }: Exchange, { seals }: Pick<Bus, 'seals'>): Reply {
  const { data } = message;
  if (sealed === undefined) {
    return { kind: 'answer', message: { data, attachments: readAttachments(message) } };
  }
  if (isSealed(data)) return openReply(sealed, data);
  return readUnsealed(data, seals?.required === false) ?? { kind: 'foreign' };
}

function openReply(sealed: SealedCall, data: Uint8Array): Reply {
  const opened = sealed.openAnswer(data);
  if (opened === undefined) return { kind: 'foreign' };
  try {
    const { block, body } = unpackContent(opened);
    const attachments = block.length === 0 ? undefined : readBlock(block)[attachmentsHeader];
    return { kind: 'answer', message: { data: body, attachments } };
  } catch {
    return { kind: 'fault', reason: 'malformed-answer' };
  }
}

const clearFaults: ReadonlySet<unknown> = new Set<FailureReason>(['overloaded', 'not-opened']);
/** Maximum size of a fault, in bytes. */
const maxFaultBytes = 2_048;

function readUnsealed(data: Uint8Array, acceptsPreviousRelease: boolean): Reply | undefined {
  if (data.length > maxFaultBytes) return undefined;
  try {
    const { id, bus, error } = JSON.parse(Buffer.from(data).toString());
    if (clearFaults.has(bus)) return { kind: 'fault', reason: bus };
    // It finds no type of call in the headers, and refuses with the text of its router; this release answers sealed.
    const isFormer = typeof error === 'object' && id === undefined;
    return isFormer && acceptsPreviousRelease ? { kind: 'knows-no-seals' } : undefined;
  } catch {
    return undefined;
  }
}
