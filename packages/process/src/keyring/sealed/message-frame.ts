/**
 * Frames of sealed messages on the bus, before the ciphertext and the tag. Numbers are big-endian.
 *
 * - call: kind 1, salt (16), number (6), time of sending (6, ms since 1970), key id of the caller and of the receiver
 * (each with its length in 2 bytes)
 * - answer: kind 2, salt (16), number (6); its keys are those of the call
 */
export const saltBytes = 16;
const numberBytes = 6;
const originBytes = 1 + saltBytes + numberBytes;
const kinds = { call: 1, answer: 2 } as const;
type Kind = keyof typeof kinds;

/** Sender's process and the number of the message in it: together unique. */
export interface Origin {
  readonly salt: Buffer;
  readonly number: number;
}

export interface CallFrame extends Origin {
  readonly sentAtMs: number;
  readonly callerKid: string;
  readonly receiverKid: string;
  readonly length: number;
}

export interface AnswerFrame extends Origin {
  readonly length: number;
}

/** Creates the frame of the calls of one sender; number and time are written for each call. */
export function callFrame(
  salt: Buffer,
  kids: { readonly caller: string; readonly receiver: string },
): Buffer {
  const head = Buffer.alloc(originBytes + 6);
  head[0] = kinds.call;
  salt.copy(head, 1);
  return Buffer.concat([head, withLengthPrefix(kids.caller), withLengthPrefix(kids.receiver)]);
}

export function writeCallFrame(template: Buffer, number: number, sentAtMs: number): Buffer {
  const frame = Buffer.from(template);
  frame.writeUIntBE(number, 1 + saltBytes, numberBytes);
  frame.writeUIntBE(sentAtMs, originBytes, 6);
  return frame;
}

export function writeAnswerFrame({ salt, number }: Origin): Buffer {
  const frame = Buffer.allocUnsafe(originBytes);
  frame[0] = kinds.answer;
  salt.copy(frame, 1);
  frame.writeUIntBE(number, 1 + saltBytes, numberBytes);
  return frame;
}

/** Reads the frame of a sealed call; undefined for anything else. */
export function readCallFrame(bytes: Buffer): CallFrame | undefined {
  const origin = readOrigin(bytes, 'call');
  if (origin === undefined || bytes.length < originBytes + 6) return undefined;
  const caller = readPrefixed(bytes, originBytes + 6);
  const receiver = caller && readPrefixed(bytes, caller.end);
  if (receiver === undefined) return undefined;
  return {
    ...origin,
    sentAtMs: bytes.readUIntBE(originBytes, 6),
    callerKid: caller?.text ?? '',
    receiverKid: receiver.text,
    length: receiver.end,
  };
}

/** Reads the frame of a sealed answer; undefined for anything else. */
export function readAnswerFrame(bytes: Buffer): AnswerFrame | undefined {
  const origin = readOrigin(bytes, 'answer');
  return origin && { ...origin, length: originBytes };
}

function readOrigin(bytes: Buffer, kind: Kind): Origin | undefined {
  if (bytes[0] !== kinds[kind] || bytes.length < originBytes) return undefined;
  return {
    salt: bytes.subarray(1, 1 + saltBytes),
    number: bytes.readUIntBE(1 + saltBytes, numberBytes),
  };
}

export function withLengthPrefix(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function readPrefixed(bytes: Buffer, at: number): { text: string; end: number } | undefined {
  if (bytes.length < at + 2) return undefined;
  const end = at + 2 + bytes.readUInt16BE(at);
  if (bytes.length < end) return undefined;
  return { text: bytes.toString('utf8', at + 2, end), end };
}
