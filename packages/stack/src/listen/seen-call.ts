import type { Answer } from '../webhooks/answers.ts';
import type { Call } from '../webhooks/receiver.ts';
import type { Verdict } from '../webhooks/verify.ts';
import { viewBody } from './body-view.ts';

/** One call and the verdict on it. Texts are unchanged from the call: a printer makes them harmless. */
export interface SeenCall {
  readonly receivedAt: Date;
  /** Empty where the header is missing. */
  readonly id: string;
  readonly event: string;
  readonly occurredAt: string;
  /** Number of the call with this id, from 1, since the program started. */
  readonly attempt: number;
  readonly verdict: Verdict;
  /** Time from the signed timestamp, which has whole seconds, to the arrival. */
  readonly latencySeconds: number | undefined;
  readonly bytes: number;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
  readonly answer: Answer;
  readonly delayMs: number;
}

export function describeCall(
  call: Call,
  context: {
    attempt: number;
    verdict: Verdict;
    answer: Answer;
    delayMs: number;
    showSecrets: boolean;
  },
): SeenCall {
  const { showSecrets, ...rest } = context;
  const seconds = Number.parseInt(call.headers['webhook-timestamp'] ?? '', 10);
  return {
    ...rest,
    receivedAt: call.receivedAt,
    id: call.headers['webhook-id'] ?? '',
    event: call.headers['x-rubrica-event'] ?? '',
    occurredAt: call.headers['x-rubrica-occurred-at'] ?? '',
    latencySeconds: Number.isNaN(seconds) ? undefined : (call.receivedAt.getTime() - seconds * 1_000) / 1_000,
    bytes: call.body.length,
    body: viewBody(call.body, showSecrets),
  };
}
