import type { TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter, TRPCCombinedDataTransformer, TRPCDataTransformer } from '@trpc/server';
import type { Msg } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import type { PendingRequest } from '../connection/pending-requests.ts';
import type { RequestLane } from '../connection/request-mux.ts';
import { packBody } from '../wire/attachments.ts';
import type { BundledCall } from '../wire/bundle.ts';
import type { FailureReason } from '../wire/failures.ts';
import { encodeCallHeaders, type Headers } from '../wire/headers.ts';
import { isSubject } from '../wire/subjects.ts';
import type { Bundles, Companion } from './bundles.ts';
import { failureError } from './bus-error.ts';
import { cancel } from './cancel.ts';
import { type Exchange, type OutgoingMessage, readReply, sendMessage } from './exchange.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** One call of a procedure, as a link or a client passes it. */
export interface BusOperation {
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly path: string;
  readonly input: unknown;
  /** `timeoutMs` and `headers` override the client's own for this call. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | null | undefined;
}

export interface BusClientOptions {
  /** Subject prefix of the served router, for example `rpc.v1.terms`. */
  readonly subjectPrefix: string;
  /** Time to wait for an answer; default 10,000. For one call: `{ context: { timeoutMs } }`. */
  readonly timeoutMs?: number;
  /**
   * Returns the headers of a call: lower-case names, printable ASCII values. For one call: `{ context: { headers } }`
   * adds more.
   */
  readonly headers?: (operation: BusOperation) => Headers;
  /** Epoch ms by which the surrounding work must be done: a call never waits longer than that. */
  readonly deadlineAt?: () => number | undefined;
  /** Same transformer as on the router, if it has one. */
  readonly transformer?: TRPCDataTransformer | TRPCCombinedDataTransformer;
  /**
   * Selects procedures whose calls in two ticks of the event loop are sent in one message and answered in one. For
   * short queries without bytes: the slowest one of a message decides. Default: none.
   */
  readonly travelsTogether?: (path: string) => boolean;
}

export interface Settle<TRouter extends AnyTRPCRouter> {
  data(data: unknown): void;
  error(error: TRPCClientError<TRouter>): void;
}

export interface CallDeps {
  readonly bus: Bus;
  readonly requests: RequestLane;
  readonly options: BusClientOptions;
  readonly transformer: TRPCCombinedDataTransformer | undefined;
  /** Numbers calls, so that an answer can name its call. */
  readonly nextId: () => number;
  readonly bundles: Bundles;
}

const defaultTimeoutMs = 10_000;
const nothing = new Uint8Array(0);
const noHeaders: Headers = {};

/** Puts a call on the bus; `settle` is called at its end exactly once, unless the caller abandons it before. */
export function startCall<TRouter extends AnyTRPCRouter>(
  deps: CallDeps,
  operation: BusOperation,
  settle: Settle<TRouter>,
): { giveUp(): void } {
  const call = new PendingCall(deps, operation, settle);
  call.start();
  return call;
}

/** A class, because the closures that would replace its methods would be created for every call. */
class PendingCall<TRouter extends AnyTRPCRouter> implements PendingRequest, Companion<TRouter> {
  readonly subject: string;
  expiresAt = 0;
  readonly id: number;
  /** Set by the bundle of the call. */
  leave: (() => void) | undefined;
  #open = true;
  #content: BundledCall | undefined;
  #exchange: Exchange | undefined;
  #onAbort: (() => void) | undefined;
  readonly #deps: CallDeps;
  readonly #operation: BusOperation;
  readonly #settle: Settle<TRouter>;

  constructor(deps: CallDeps, operation: BusOperation, settle: Settle<TRouter>) {
    this.#deps = deps;
    this.#operation = operation;
    this.#settle = settle;
    this.id = deps.nextId();
    this.subject = `${deps.options.subjectPrefix}.${operation.path}`;
  }

  start(): void {
    const { type, path, signal } = this.#operation;
    const { options, bundles } = this.#deps;
    const waitMs = computeWaitMs(options, this.#operation);
    if (type === 'subscription') this.onFailure('unsupported');
    else if (signal?.aborted) this.onFailure('aborted', toAbortError(signal));
    // The path comes from the caller, and the client would write it into the protocol unescaped.
    else if (!isSubject(this.subject)) this.onFailure('invalid');
    else if (waitMs < 1) this.onFailure('deadline-passed');
    else {
      this.expiresAt = performance.now() + waitMs;
      if (!this.#read()) return;
      if (signal) this.#watch(signal);
      if (type === 'query' && options.travelsTogether?.(path)) bundles.add(this);
      else this.#send(waitMs);
    }
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get content(): BundledCall {
    return this.#content as BundledCall;
  }

  sendAlone(): void {
    const waitMs = this.expiresAt - performance.now();
    if (waitMs < 1) this.onFailure('timeout');
    else this.#send(waitMs);
  }

  #read(): boolean {
    const { options, transformer } = this.#deps;
    const { input } = this.#operation;
    try {
      this.#content = {
        id: this.id,
        headers: collectHeaders(options, this.#operation),
        input: transformer === undefined ? input : transformer.input.serialize(input),
      };
      return true;
    } catch (cause) {
      this.onFailure('invalid', cause as Error);
      return false;
    }
  }

  #send(waitMs: number, inClear = false): void {
    const message = this.#encode(waitMs);
    if (message === undefined) return;
    try {
      this.#exchange = sendMessage(this.#deps, this, { message, inClear });
    } catch (cause) {
      this.onFailure('invalid', cause as Error);
    }
  }

  #sendInClear(): void {
    const waitMs = this.expiresAt - performance.now();
    if (waitMs < 1) this.onFailure('timeout');
    else this.#send(waitMs, true);
  }

  #encode(waitMs: number): OutgoingMessage | undefined {
    const { id, headers, input } = this.content;
    const { type } = this.#operation;
    try {
      const { body, attachments } =
        input === undefined ? { body: nothing, attachments: undefined } : packBody(input);
      const remainingMs = Math.trunc(waitMs);
      return { headers: encodeCallHeaders({ type, id, remainingMs, attachments, headers }), body };
    } catch (cause) {
      this.onFailure('invalid', cause as Error);
      return undefined;
    }
  }

  onReply(message: Msg): boolean {
    const { bus, requests, transformer } = this.#deps;
    const exchange = this.#exchange;
    if (exchange === undefined) return false;
    const reply = readReply(message, exchange, bus);
    if (reply.kind === 'foreign') return false;
    if (reply.kind === 'fault') this.onFailure(reply.reason);
    else if (reply.kind === 'knows-no-seals') this.#sendInClear();
    else {
      const answer = readAnswer<TRouter>(reply.message, transformer);
      if (answer.id !== undefined && answer.id !== this.id) return false;
      if (answer.id !== undefined && exchange.reply !== undefined) requests.release(exchange.reply);
      this.onAnswer(answer);
    }
    return true;
  }

  onAnswer(answer: Answer<TRouter>): void {
    if (answer.kind === 'data') {
      this.#close();
      this.#settle.data(answer.data);
    } else if (answer.kind === 'error') {
      this.#close();
      this.#settle.error(answer.error);
    } else if (answer.kind === 'malformed') this.onFailure('malformed-answer', answer.cause);
    else this.onFailure(answer.kind);
  }

  onFailure(reason: FailureReason, cause?: Error): void {
    this.#close();
    this.#settle.error(
      failureError<TRouter>({ reason, path: this.#operation.path, subject: this.subject, cause }),
    );
  }

  /** Abandons the call: forgets it and tells the server. */
  giveUp(): void {
    if (!this.#open) return;
    this.#close();
    this.leave?.();
    const reply = this.#exchange?.reply;
    if (reply !== undefined) cancel(this.#deps, reply, this.subject);
  }

  #watch(signal: AbortSignal): void {
    this.#onAbort = () => {
      this.giveUp();
      this.onFailure('aborted', toAbortError(signal));
    };
    signal.addEventListener('abort', this.#onAbort);
  }

  #close(): void {
    this.#open = false;
    if (this.#onAbort !== undefined) this.#operation.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function computeWaitMs(options: BusClientOptions, operation: BusOperation): number {
  const timeoutMs =
    (operation.context.timeoutMs as number | undefined) ?? options.timeoutMs ?? defaultTimeoutMs;
  const deadlineAt = options.deadlineAt?.();
  return deadlineAt === undefined ? timeoutMs : Math.min(timeoutMs, deadlineAt - Date.now());
}

function collectHeaders(options: BusClientOptions, operation: BusOperation): Headers {
  const own = options.headers?.(operation) ?? noHeaders;
  const added = operation.context.headers as Headers | undefined;
  return added === undefined ? own : { ...own, ...added };
}

function toAbortError(signal: AbortSignal): Error | undefined {
  return signal.reason instanceof Error ? signal.reason : undefined;
}
