import { formatLocalDateTime, type Keyring, release } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { Dialer } from '../dialer/dialer.ts';
import { describeAnswer, type Outcome } from '../dialer/outcome.ts';
import { envelope } from '../signing/envelope.ts';
import { signatureHeaders } from '../signing/sign.ts';

export interface PingCall {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
  /** Token of the call by which an operator, or the partner, has asked for it: intake gives secrets on that word alone. */
  readonly operatorToken: string;
  /** A partner's own call goes by the rules of `callbackUrl`, which intake has. */
  readonly byPartner?: true;
  /** An example event in the place of a ping. */
  readonly event?: { readonly type: string; readonly body: object; readonly code: string | undefined };
}
export interface PingResult {
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface PingCallDeps {
  readonly dialer: Pick<Dialer, 'post'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'partners.signing'>;
  readonly keyring: Pick<Keyring, 'openText'>;
  readonly clock: () => Date;
  readonly timeZone: string;
}

/** Shorter than the budget of a delivery: an operator waits, and the call that asks for the ping has a time-out. */
const budgetMs = 8_000;
/** Receivers that parse before they look at the type find nothing to trip over. */
const ping = { type: 'ping', body: {}, code: undefined } as const;

/**
 * Sends one signed POST that means nothing through the same dialer and guard as any delivery.
 * @throws AppError when intake does not know the partner or does not answer
 */
export async function callPing(
  { id, partnerId, url, operatorToken, byPartner, event = ping }: PingCall,
  deps: PingCallDeps,
): Promise<PingResult> {
  const { sealedSecrets, envelope: isEnveloped } = await deps.intake['partners.signing']({
    partnerId,
    operatorToken,
    ...(byPartner && { url }),
  });
  const binding = { purpose: 'webhook-secret', owner: partnerId.toLowerCase() } as const;
  const secrets = await Promise.all(sealedSecrets.map((sealed) => deps.keyring.openText(sealed, binding)));
  const at = deps.clock();
  const { type, code } = event;
  const whole = isEnveloped
    ? envelope(
        { type, id, occurredAt: at, data: code === undefined ? event.body : { ...event.body, code } },
        deps.timeZone,
      )
    : event.body;
  const body = Buffer.from(JSON.stringify(whole));
  const headers = {
    ...signatureHeaders({ id, at, body }, secrets),
    'content-type': 'application/json',
    'user-agent': `Rubrica-Webhooks/${release}`,
    'x-rubrica-event': type,
    ...(code !== undefined && { 'x-rubrica-code': code }),
    'x-rubrica-occurred-at': formatLocalDateTime(at, deps.timeZone),
  };
  const started = performance.now();
  const answer = await deps.dialer.post({ url, headers, body, budgetMs });
  return { ...describeAnswer(answer), durationMs: Math.round(performance.now() - started) };
}
