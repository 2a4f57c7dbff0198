import type { AnyTRPCRouter, TRPCCombinedDataTransformer } from '@trpc/server';
import type { Msg } from 'nats';
import type { PendingRequest } from '../connection/pending-requests.ts';
import { packBody } from '../wire/attachments.ts';
import { type BundledCall, maxBundleCalls, writeBundle } from '../wire/bundle.ts';
import type { FailureReason } from '../wire/failures.ts';
import { assertHeaders, encodeCallHeaders } from '../wire/headers.ts';
import { type CancelDeps, cancel } from './cancel.ts';
import { type Exchange, readReply, sendMessage } from './exchange.ts';
import { type Answer, readAnswers } from './read-answer.ts';

/** Call that may travel with others. */
export interface Companion<TRouter extends AnyTRPCRouter = AnyTRPCRouter> {
  readonly id: number;
  readonly subject: string;
  /** Deadline on the clock of `performance.now()`. */
  readonly expiresAt: number;
  readonly content: BundledCall;
  /** True while its caller waits. */
  readonly isOpen: boolean;
  leave: (() => void) | undefined;
  sendAlone(): void;
  onAnswer(answer: Answer<TRouter>): void;
  onFailure(reason: FailureReason, cause?: Error): void;
}

export interface Bundles {
  /** Sends the call at the end of the next tick of the event loop: with others of its procedure, or alone. */
  add(call: Companion): void;
}

export interface BundleDeps extends CancelDeps {
  readonly transformer: TRPCCombinedDataTransformer | undefined;
}

/** Ends of waits that count as equal, in ms. */
const sameEndMs = 20;
/** Time for which calls are sent alone, in ms: copies of a release without bundles may serve at the same time. */
const aloneForMs = 60_000;

/**
 * Creates bundles, which send the calls of two ticks in one message with one answer. Most of the cost of a small call
 * is its message. It is written, routed and read twice, each time with its own system call unless others are sent with
 * it.
 */
export function createBundles(deps: BundleDeps): Bundles {
  let gathered = new Map<string, Companion[]>();
  let aloneUntil = 0;

  const onNotUnderstood = () => {
    aloneUntil = performance.now() + aloneForMs;
  };
  const sendGathered = () => {
    const turn = gathered;
    gathered = new Map();
    for (const calls of turn.values()) {
      const open = calls.filter(({ isOpen }) => isOpen);
      for (let start = 0; start < open.length; start += maxBundleCalls)
        sendTogether(open.slice(start, start + maxBundleCalls));
    }
  };
  const sendTogether = (calls: readonly Companion[]) => {
    const last = Math.max(...calls.map(({ expiresAt }) => expiresAt));
    const isWithOthers = ({ expiresAt }: Companion) => last - expiresAt <= sameEndMs;
    const together = calls.filter(isWithOthers);
    for (const call of calls) if (together.length < 2 || !isWithOthers(call)) call.sendAlone();
    if (together.length > 1) new PendingBundle(deps, together, onNotUnderstood).send();
  };
  return {
    add(call) {
      if (performance.now() < aloneUntil) {
        call.sendAlone();
        return;
      }
      if (gathered.size === 0) afterNextTick(sendGathered);
      const calls = gathered.get(call.subject);
      if (calls === undefined) gathered.set(call.subject, [call]);
      else calls.push(call);
    },
  };
}

/**
 * Runs work after the next tick. A burst that began at the end of one tick ends in the next, and calls in the second
 * message of a burst are answered separately from then on. Without work the next tick comes immediately.
 */
function afterNextTick(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/** One message for several calls. */
class PendingBundle implements PendingRequest {
  readonly subject: string;
  readonly expiresAt: number;
  readonly #deps: BundleDeps;
  readonly #calls: readonly Companion[];
  readonly #onNotUnderstood: () => void;
  #exchange: Exchange | undefined;

  constructor(deps: BundleDeps, calls: readonly Companion[], onNotUnderstood: () => void) {
    this.#deps = deps;
    this.#calls = calls;
    this.#onNotUnderstood = onNotUnderstood;
    this.subject = calls[0]?.subject ?? '';
    this.expiresAt = Math.max(...calls.map(({ expiresAt }) => expiresAt));
  }

  send(inClear = false): void {
    const calls = this.#calls;
    try {
      for (const { content } of calls) assertHeaders(content.headers);
      const { body, attachments } = packBody(writeBundle(calls.map(({ content }) => content)));
      const remainingMs = Math.trunc(this.expiresAt - performance.now());
      const bundle = calls.length;
      const headers = encodeCallHeaders({ type: 'query', remainingMs, attachments, bundle, headers: {} });
      for (const call of calls) call.leave = () => this.#leave();
      this.#exchange = sendMessage(this.#deps, this, { message: { headers, body }, inClear });
    } catch {
      // Sending each alone shows which of them cannot be sent.
      this.#sendEachAlone();
    }
  }

  onReply(message: Msg): boolean {
    const { bus, requests, transformer } = this.#deps;
    const exchange = this.#exchange;
    if (exchange === undefined) return false;
    const reply = readReply(message, exchange, bus);
    if (reply.kind === 'foreign') return false;
    if (reply.kind === 'fault') this.onFailure(reply.reason);
    else if (reply.kind === 'knows-no-seals') this.send(true);
    if (reply.kind !== 'answer') return true;
    const answers = readAnswers<AnyTRPCRouter>(reply.message, transformer);
    if ('kind' in answers) return this.#onOneForAll(answers);
    const calls = this.#calls;
    const areTheirs = answers.length === calls.length && answers.every(({ id }, at) => id === calls[at]?.id);
    if (!areTheirs) return false;
    if (exchange.reply !== undefined) requests.release(exchange.reply);
    this.#tell((call, at) => call.onAnswer(answers[at] as Answer<AnyTRPCRouter>));
    return true;
  }

  #onOneForAll(answer: Answer<AnyTRPCRouter>): boolean {
    // An answer to a single call, which used the reply subject before.
    if (answer.id !== undefined) return false;
    if (answer.kind === 'data' || answer.kind === 'error') {
      this.#onNotUnderstood();
      this.#sendEachAlone();
    } else this.#tell((call) => call.onAnswer(answer));
    return true;
  }

  onFailure(reason: FailureReason, cause?: Error): void {
    // Each is smaller than the whole.
    if (reason === 'payload-too-large') this.#sendEachAlone();
    else this.#tell((call) => call.onFailure(reason, cause));
  }

  #sendEachAlone(): void {
    this.#tell((call) => {
      call.leave = undefined;
      call.sendAlone();
    });
  }

  /** Calls `tell` for each open call. A caller that throws harms no other. */
  #tell(tell: (call: Companion, at: number) => void): void {
    for (const [at, call] of this.#calls.entries()) {
      if (!call.isOpen) continue;
      try {
        tell(call, at);
      } catch (error) {
        this.#deps.bus.fault(error, `call of ${this.subject}`);
      }
    }
  }

  #leave(): void {
    const reply = this.#exchange?.reply;
    if (reply === undefined || this.#calls.some(({ isOpen }) => isOpen)) return;
    cancel(this.#deps, reply, this.subject);
  }
}
