import { formatLocalDateTime, type Keyring } from '@rubrica/process';
import type { Peers } from '../peers.ts';
import type { Dialer } from './dialer.ts';
import { signatureHeaders } from './sign.ts';
import { describe, type Outcome } from './verdict.ts';

export type PingCall = { id: string; partnerId: string; url: string };
export type PingResult = {
  outcome: Outcome;
  status: number | null;
  error: string | null;
  durationMs: number;
};

export type PingCallDeps = {
  dialer: Pick<Dialer, 'post'>;
  peers: Pick<Peers, 'partnerSigning'>;
  keyring: Pick<Keyring, 'openText'>;
  clock: () => Date;
  timeZone: string;
};

/** Shorter than the budget of a delivery: a person waits, and the call that brought the question here has its own end. */
const budgetMs = 8_000;
/** Receivers that parse before they look at the type find nothing to trip over. */
const body = Buffer.from('{}');

/**
 * One signed POST that means nothing, through the same dialer and guard as any delivery.
 * @throws AppError when intake does not know the partner or does not answer
 */
export async function callPing({ id, partnerId, url }: PingCall, deps: PingCallDeps): Promise<PingResult> {
  const { sealedSecrets } = await deps.peers.partnerSigning(partnerId);
  const secrets = await Promise.all(sealedSecrets.map(deps.keyring.openText));
  const at = deps.clock();
  const headers = {
    ...signatureHeaders({ id, at, body }, secrets),
    'content-type': 'application/json',
    'user-agent': 'Rubrica-Webhooks/1',
    'x-rubrica-event': 'ping',
    'x-rubrica-occurred-at': formatLocalDateTime(at, deps.timeZone),
  };
  const started = performance.now();
  const answer = await deps.dialer.post({ url, headers, body, budgetMs });
  return { ...describe(answer), durationMs: Math.round(performance.now() - started) };
}
