import type { AnyTRPCRouter, TRPCCombinedDataTransformer } from '@trpc/server';
import type { Msg } from 'nats';
import { packBody } from '../wire/attachments.ts';
import { type BundledCall, mostInBundle, writeBundle } from '../wire/bundle.ts';
import { assertHeaders, encodeCallHeaders } from '../wire/headers.ts';
import { type CancelDeps, cancel } from './cancel.ts';
import { type Exchange, readReply, sendMessage } from './exchange.ts';
import type { FailureReason } from './failures.ts';
import type { PendingRequest } from './pending-requests.ts';
import { type Answer, readAnswers } from './read-answer.ts';

/** A call that may travel with others. */
export interface Companion<TRouter extends AnyTRPCRouter = AnyTRPCRouter> {
  readonly id: number;
  readonly subject: string;
  /** On the clock of `performance.now()`. */
  readonly expiresAt: number;
  readonly content: BundledCall;
  /** Its caller still waits. */
  readonly isOpen: boolean;
  leave: (() => void) | undefined;
  sendAlone(): void;
  onAnswer(answer: Answer<TRouter>): void;
  onFailure(reason: FailureReason, cause?: Error): void;
}

export interface Bundles {
  /** Sends the call at the end of the next turn of the event loop: with others to its procedure, or alone. */
  add(call: Companion): void;
}

export interface BundleDeps extends CancelDeps {
  readonly transformer: TRPCCombinedDataTransformer | undefined;
}

/** Ends of waits that are as good as one, ms. */
const sameEndMs = 20;
/** Copies of a release that knows no bundles may serve beside others, ms. */
const aloneForMs = 60_000;

/**
 * Calls of two turns in one message with one answer. Of a small call most is the message: it is written, routed and read twice,
 * each time with a call into the system of its own unless others come with it.
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
      for (let start = 0; start < open.length; start += mostInBundle)
        sendTogether(open.slice(start, start + mostInBundle));
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
      if (gathered.size === 0) afterNextTurn(sendGathered);
      const calls = gathered.get(call.subject);
      if (calls === undefined) gathered.set(call.subject, [call]);
      else calls.push(call);
    },
  };
}

/**
 * A burst that began at the end of one turn ends in the next, and who is in the second message of a burst is answered
 * apart from then on. Without work the next turn comes at once.
 */
function afterNextTurn(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/** Their one message. */
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
      // Which of them cannot be sent shows when each is.
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
    // An answer to one call, which used the reply subject before.
    if (answer.id !== undefined) return false;
    if (answer.kind === 'data' || answer.kind === 'error') {
      this.#onNotUnderstood();
      this.#sendEachAlone();
    } else this.#tell((call) => call.onAnswer(answer));
    return true;
  }

  onFailure(reason: FailureReason, cause?: Error): void {
    // Each is smaller than all of them.
    if (reason === 'payload-too-large') this.#sendEachAlone();
    else this.#tell((call) => call.onFailure(reason, cause));
  }

  #sendEachAlone(): void {
    this.#tell((call) => {
      call.leave = undefined;
      call.sendAlone();
    });
  }

  /** A caller that fails at what it is told harms no other. */
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
