import type { Msg } from 'nats';
import type { Headers } from '../wire/headers.ts';
import { readBlock } from '../wire/read-headers.ts';
import { unpackContent } from '../wire/sealed-content.ts';
import { type BusSeals, isSealed, type OpenedCall, repeated } from '../wire/seals.ts';
import { decodeHeaders } from './decode-call.ts';

export type OpenMessage =
  | {
      readonly kind: 'opened';
      readonly headers: Headers;
      readonly data: Uint8Array;
      /** Undefined for an unsealed call. */
      readonly sealAnswer: Extract<OpenedCall, { kind: 'opened' }>['sealAnswer'] | undefined;
    }
  | { readonly kind: 'not-opened' }
  /** Another copy of the call has an answer, or will have one. */
  | { readonly kind: 'repeated' };

/** Opens headers and body of a call, sealed or not. Throws a `TRPCError` if the headers are malformed. */
export function openMessage(seals: BusSeals | undefined, message: Msg): OpenMessage {
  const { subject, data, headers } = message;
  const mayBeUnsealed = seals?.required !== true && !(headers === undefined && isSealed(data));
  if (seals !== undefined && !mayBeUnsealed) return openSealed(seals, subject, data);
  return { kind: 'opened', headers: decodeHeaders(message), data, sealAnswer: undefined };
}

function openSealed(seals: BusSeals, subject: string, data: Uint8Array): OpenMessage {
  const call = seals.openCall(subject, data);
  if (call.kind === 'refused') return { kind: call.reason === repeated ? 'repeated' : 'not-opened' };
  try {
    const { block, body } = unpackContent(call.content);
    return { kind: 'opened', headers: readBlock(block), data: body, sealAnswer: call.sealAnswer };
  } catch {
    return { kind: 'not-opened' };
  }
}
