import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { readCallSubject } from '@rubrica/contracts/services/subjects';
import { LRUCache } from 'lru-cache';
import type { KeyMaterial } from '../key-files.ts';
import { KeyringError } from '../keyring-error.ts';
import {
  callFrame,
  type Origin,
  readAnswerFrame,
  readCallFrame,
  saltBytes,
  writeAnswerFrame,
  writeCallFrame,
} from './message-frame.ts';
import { createPairKeys, type Pair, type PairKeys } from './pair-keys.ts';
import { ReplayWindow } from './replay-window.ts';

/** Age at which a call is refused, and limit for a time ahead: the possible difference of the clocks of two hosts. */
const maxAgeMs = 30_000;
/** Senders whose numbers are remembered; each is a process that has proven its keys. */
const maxSenders = 1_000;
const tagBytes = 16;
const ivBytes = 12;

/** Reason for refusing a sealed call. */
export type CallRefusal = 'malformed' | 'unknown-key' | 'not-authentic' | 'late' | 'repeated';

export interface SealedCall {
  readonly bytes: Uint8Array;
  /** Opens the answer to this call; undefined for anything else. */
  openAnswer(bytes: Uint8Array): Uint8Array | undefined;
}

export type OpenedCall =
  | {
      readonly kind: 'opened';
      readonly content: Uint8Array;
      /** Seals an answer; may be called again, with a new number each time. */
      sealAnswer(content: readonly Uint8Array[]): Uint8Array;
    }
  | { readonly kind: 'refused'; readonly reason: CallRefusal };

/** Seals and opens messages between two services on the bus. */
export interface CallSeals {
  /** @throws KeyringError `unknown-peer` */
  sealCall(subject: string, content: readonly Uint8Array[]): SealedCall;
  openCall(subject: string, bytes: Uint8Array): OpenedCall;
}

export interface CallSealsDeps {
  readonly self: string;
  /** Returns the present keys: the same object while they do not change. */
  readonly keys: () => KeyMaterial;
  readonly nowMs: () => number;
  /** Selects calls without a time check, whose answer tells a caller that its clock is wrong. */
  readonly isTimeless?: (path: string) => boolean;
}

/** Number and key for messages of one process to one service with one pair of keys. */
interface Sender {
  readonly pair: Pair;
  readonly salt: Buffer;
  readonly key: KeyObject;
  readonly frame: Buffer;
  sent: number;
}

/**
 * Creates the seals of calls. They use AES-256-GCM under a key that caller and receiver derive from their own private
 * `enc` key and the other's public one, so it proves the sealer and excludes others. Subject, key ids, time and number
 * of a call are authenticated; an answer is also bound to the number of its call.
 *
 * Nonces are numbers, not random. Each process has its own salt for its keys and numbers its messages, so no nonce
 * repeats under a key and there is no limit of 2^32. By the same numbers a receiver accepts each call once.
 *
 * A copy of the receiver does not know which calls another copy has accepted. To replay a call there, within its 30 s,
 * takes the bus passwords of both services: with the receiver's an attacker sees the call only by intercepting it, and
 * with the caller's it can send it again. The second run does what the person wanted, only the caller's process can
 * read its answer, and rows with `repeat` detect it by their ids. What remains are other mutations done twice: a code
 * or an event sent again, an approval refused as already given.
 */
export function createCallSeals(deps: CallSealsDeps): CallSeals {
  const { self, keys, nowMs, isTimeless = () => false } = deps;
  const windows = new LRUCache<string, ReplayWindow>({ max: maxSenders });
  let material: KeyMaterial | undefined;
  let pairKeys: PairKeys;
  let calling = new Map<string, Sender>();
  let answering = new Map<string, Sender>();

  /** Derived keys are replaced with their keys; windows stay, so that no call counts twice because of a rotation. */
  const currentKeys = (): PairKeys => {
    const now = keys();
    if (now === material) return pairKeys;
    material = now;
    pairKeys = createPairKeys(now);
    calling = new Map();
    answering = new Map();
    return pairKeys;
  };
  const callingTo = (receiver: string): Sender => {
    const known = calling.get(receiver);
    if (known !== undefined) return known;
    const kids = currentKeys().presentKids(receiver);
    if (kids === undefined) throw unknownPeer(receiver);
    const pair: Pair = {
      self: 'caller',
      caller: self,
      callerKid: kids.caller,
      receiver,
      receiverKid: kids.receiver,
    };
    const salt = randomBytes(saltBytes);
    const derived = currentKeys().derive(pair, 'call', salt);
    if (derived === undefined) throw unknownPeer(receiver);
    const sender = { pair, salt, key: derived.key, frame: callFrame(salt, kids), sent: 0 };
    calling.set(receiver, sender);
    return sender;
  };
  const answeringAs = (pair: Pair): Sender => {
    const name = `${pair.caller} ${pair.callerKid} ${pair.receiverKid}`;
    const known = answering.get(name);
    if (known !== undefined) return known;
    const salt = randomBytes(saltBytes);
    const derived = currentKeys().derive(pair, 'answer', salt);
    if (derived === undefined) throw unknownPeer(pair.caller);
    const sender = { pair, salt, key: derived.key, frame: salt, sent: 0 };
    answering.set(name, sender);
    return sender;
  };
  const takesNumber = ({ salt, number }: Origin): boolean => {
    const name = salt.toString('latin1');
    const known = windows.get(name);
    const window = known ?? new ReplayWindow();
    if (known === undefined) windows.set(name, window);
    return window.take(number);
  };

  return {
    sealCall(subject, content) {
      const { receiver, caller } = readCallSubject(subject) ?? {};
      if (receiver === undefined || caller !== self) throw unknownPeer(subject);
      currentKeys();
      const sender = callingTo(receiver);
      sender.sent += 1;
      const origin = { salt: sender.salt, number: sender.sent };
      const frame = writeCallFrame(sender.frame, origin.number, nowMs());
      const bytes = seal(sender.key, origin.number, { frame, bound: bind(frame, subject), content });
      const openAnswer = (answer: Uint8Array): Uint8Array | undefined => {
        const sealed = toBuffer(answer);
        const read = readAnswerFrame(sealed);
        if (read === undefined) return undefined;
        const derived = currentKeys().derive(sender.pair, 'answer', read.salt);
        if (derived === undefined) return undefined;
        const bound = bindAnswer(sealed.subarray(0, read.length), { subject, call: origin });
        const opened = open(derived.key, read.number, { sealed, start: read.length, bound });
        if (opened !== undefined) derived.remember();
        return opened;
      };
      return { bytes, openAnswer };
    },
    openCall(subject, bytes) {
      const { receiver, caller, path = '' } = readCallSubject(subject) ?? {};
      const sealed = toBuffer(bytes);
      const read = readCallFrame(sealed);
      if (read === undefined || receiver !== self || caller === undefined) return refused('malformed');
      const { callerKid, receiverKid, salt, number } = read;
      const pair: Pair = { self: 'receiver', caller, callerKid, receiver, receiverKid };
      const derived = currentKeys().derive(pair, 'call', salt);
      if (derived === undefined) return refused('unknown-key');
      const bound = bind(sealed.subarray(0, read.length), subject);
      const content = open(derived.key, number, { sealed, start: read.length, bound });
      if (content === undefined) return refused('not-authentic');
      derived.remember();
      if (Math.abs(nowMs() - read.sentAtMs) > maxAgeMs && !isTimeless(path)) return refused('late');
      if (!takesNumber(read)) return refused('repeated');
      // Only salt and number are retained, not the bytes of the message.
      const call = { salt: Buffer.from(salt), number };
      const sealAnswer = (answer: readonly Uint8Array[]) => {
        currentKeys();
        const sender = answeringAs(pair);
        sender.sent += 1;
        const frame = writeAnswerFrame({ salt: sender.salt, number: sender.sent });
        return seal(sender.key, sender.sent, {
          frame,
          bound: bindAnswer(frame, { subject, call }),
          content: answer,
        });
      };
      return { kind: 'opened', content, sealAnswer };
    },
  };
}

interface Sealing {
  readonly frame: Buffer;
  /** Authenticated data that is not part of the message or its frame. */
  readonly bound: Buffer;
  readonly content: readonly Uint8Array[];
}

function seal(key: KeyObject, number: number, { frame, bound, content }: Sealing): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(number), { authTagLength: tagBytes });
  cipher.setAAD(bound);
  const parts: Buffer[] = [frame];
  for (const part of content) if (part.length > 0) parts.push(cipher.update(part));
  cipher.final();
  parts.push(cipher.getAuthTag());
  return Buffer.concat(parts);
}

interface Opening {
  readonly sealed: Buffer;
  /** Position at which the ciphertext begins. */
  readonly start: number;
  readonly bound: Buffer;
}

function open(key: KeyObject, number: number, { sealed, start, bound }: Opening): Buffer | undefined {
  const end = sealed.length - tagBytes;
  if (end < start) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(number), { authTagLength: tagBytes });
  decipher.setAAD(bound);
  decipher.setAuthTag(sealed.subarray(end));
  const content = decipher.update(sealed.subarray(start, end));
  try {
    decipher.final();
    return content;
  } catch {
    return undefined;
  }
}

function nonce(number: number): Buffer {
  const bytes = Buffer.alloc(ivBytes);
  bytes.writeUIntBE(number, ivBytes - 6, 6);
  return bytes;
}

function bind(frame: Buffer, subject: string): Buffer {
  return Buffer.concat([frame, Buffer.from(subject, 'latin1')]);
}

function bindAnswer(frame: Buffer, { subject, call }: { subject: string; call: Origin }): Buffer {
  const number = Buffer.alloc(6);
  number.writeUIntBE(call.number, 0, 6);
  return Buffer.concat([frame, call.salt, number, Buffer.from(subject, 'latin1')]);
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function refused(reason: CallRefusal): OpenedCall {
  return { kind: 'refused', reason };
}

function unknownPeer(name: string): KeyringError {
  return new KeyringError('unknown-peer', `no key is known for calls to ${name}`);
}
