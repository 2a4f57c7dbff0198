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

/** Age at which a call is refused, and how far its time may be ahead: what the clocks of two hosts may differ by. */
const maxAgeMs = 30_000;
/** Senders whose numbers are remembered; each is a process that has shown its keys. */
const maxSenders = 1_000;
const tagBytes = 16;
const ivBytes = 12;

/** Why a sealed call is not taken. */
export type CallRefusal = 'malformed' | 'unknown-key' | 'not-authentic' | 'late' | 'repeated';

export interface SealedCall {
  readonly bytes: Uint8Array;
  /** The content of an answer to this very call; undefined for anything else. */
  openAnswer(bytes: Uint8Array): Uint8Array | undefined;
}

export type OpenedCall =
  | {
      readonly kind: 'opened';
      readonly content: Uint8Array;
      /** May be used again: a new number each time. */
      sealAnswer(content: readonly Uint8Array[]): Uint8Array;
    }
  | { readonly kind: 'refused'; readonly reason: CallRefusal };

/** Seals and opens what two services say to each other on the bus. */
export interface CallSeals {
  /** @throws KeyringError `unknown-peer` */
  sealCall(subject: string, content: readonly Uint8Array[]): SealedCall;
  openCall(subject: string, bytes: Uint8Array): OpenedCall;
}

export interface CallSealsDeps {
  readonly self: string;
  /** The keys as they are now: the same object for as long as they are the same. */
  readonly keys: () => KeyMaterial;
  readonly nowMs: () => number;
  /** Calls without a time: the answer is how a caller whose clock is wrong learns of it. */
  readonly isTimeless?: (path: string) => boolean;
}

/** Number and key of what one process sends to one service with one pair of keys. */
interface Sender {
  readonly pair: Pair;
  readonly salt: Buffer;
  readonly key: KeyObject;
  readonly frame: Buffer;
  sent: number;
}

/**
 * AES-256-GCM under a key that caller and receiver derive from their own private `enc` key and the other's public one,
 * so that it shows who sealed and keeps others out. Subject, key ids, time and number of a call are authenticated; an
 * answer is also bound to the number of its call.
 *
 * Nonces are numbers and not random: each process has a salt of its own for its keys and numbers its messages, so that
 * no nonce comes twice under a key and there is no limit of 2^32. By the same numbers a receiver takes each call once.
 *
 * A copy of the receiver does not know what another one has taken. To have a call run once more there, within its 30 s,
 * takes the bus passwords of both services: that of the receiver sees the call only by taking it away, and that of the
 * caller sends it again. The second run does what the person wanted done, its answer can be read by the caller's
 * process alone, and rows with `repeat` tell by their ids that it is the same call. What is left is the rest of the
 * mutations done twice: a code or an event sent again, an approval refused as given.
 */
export function createCallSeals(deps: CallSealsDeps): CallSeals {
  const { self, keys, nowMs, isTimeless = () => false } = deps;
  const windows = new LRUCache<string, ReplayWindow>({ max: maxSenders });
  let material: KeyMaterial | undefined;
  let pairKeys: PairKeys;
  let calling = new Map<string, Sender>();
  let answering = new Map<string, Sender>();

  /** Derived keys go with the keys they stand on; windows stay, so that nothing counts twice because of a rotation. */
  const present = (): PairKeys => {
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
    const kids = present().presentKids(receiver);
    if (kids === undefined) throw unknownPeer(receiver);
    const pair: Pair = {
      self: 'caller',
      caller: self,
      callerKid: kids.caller,
      receiver,
      receiverKid: kids.receiver,
    };
    const salt = randomBytes(saltBytes);
    const derived = present().derive(pair, 'call', salt);
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
    const derived = present().derive(pair, 'answer', salt);
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
      present();
      const sender = callingTo(receiver);
      sender.sent += 1;
      const origin = { salt: sender.salt, number: sender.sent };
      const frame = writeCallFrame(sender.frame, origin.number, nowMs());
      const bytes = seal(sender.key, origin.number, { frame, bound: bind(frame, subject), content });
      const openAnswer = (answer: Uint8Array): Uint8Array | undefined => {
        const sealed = toBuffer(answer);
        const read = readAnswerFrame(sealed);
        if (read === undefined) return undefined;
        const derived = present().derive(sender.pair, 'answer', read.salt);
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
      const derived = present().derive(pair, 'call', salt);
      if (derived === undefined) return refused('unknown-key');
      const bound = bind(sealed.subarray(0, read.length), subject);
      const content = open(derived.key, number, { sealed, start: read.length, bound });
      if (content === undefined) return refused('not-authentic');
      derived.remember();
      if (Math.abs(nowMs() - read.sentAtMs) > maxAgeMs && !isTimeless(path)) return refused('late');
      if (!takesNumber(read)) return refused('repeated');
      // The bytes of the message are kept no longer than its content.
      const call = { salt: Buffer.from(salt), number };
      const sealAnswer = (answer: readonly Uint8Array[]) => {
        present();
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
  /** Authenticated, and not in the message or in front of it. */
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
