import type { Keyring } from '@rubrica/process/keyring';
import { release } from '@rubrica/process/release';
import { formatLocalDateTime } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import type { Dialer } from '../dialer/dialer.ts';
import { describeAnswer, type Outcome } from '../dialer/outcome.ts';
import { wrapWebhookBody } from '../signing/envelope.ts';
import { buildSignatureHeaders } from '../signing/sign.ts';

export interface PingCall {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
  /** Token of the call by an operator or the partner that requested the ping: intake releases secrets only for it. */
  readonly operatorToken: string;
  /** Applies the rules for `callbackUrl`, which intake has, to a partner's own call. */
  readonly byPartner?: true;
  /** Example event instead of a ping. */
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

/** Shorter than the budget of a delivery: an operator waits, and the call that requests the ping has a timeout. */
const budgetMs = 8_000;
/** Empty body, so that receivers that parse before they check the type do not fail. */
const ping = { type: 'ping', body: {}, code: undefined } as const;

/**
 * Sends one signed POST without effect through the same dialer and guard as a delivery.
 * @throws AppError when intake does not know the partner or does not answer
 */
export async function sendPing(
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
  const content = isEnveloped
    ? wrapWebhookBody(
        { type, id, occurredAt: at, data: code === undefined ? event.body : { ...event.body, code } },
        deps.timeZone,
      )
    : event.body;
  const body = Buffer.from(JSON.stringify(content));
  const headers = {
    ...buildSignatureHeaders({ id, at, body }, secrets),
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
