import type { StackInfo } from '@rubrica/stack';
import type { TestPartner } from '@rubrica/testkit';
import { fullPool } from '../key-pool.ts';
import type { BenchPlan } from '../options.ts';
import type { KeyTime } from '../raw-keys.ts';
import type { Section } from '../record/figures.ts';
import { percentile } from '../statistics.ts';

/** Measures the milliseconds from sending a registration to the arrival of its webhook, one after the other. */
export async function measureRegisterToWebhook(context: {
  info: StackInfo;
  partner: TestPartner;
  plan: BenchPlan;
  oneKey: KeyTime;
}): Promise<Section> {
  const { info, partner, oneKey } = context;
  const { webhookSamples: samples, webhookWarmUp } = context.plan;
  for (let index = 0; index < webhookWarmUp; index += 1) await registerToWebhookMs(partner);
  await fullPool(info);
  const durations: number[] = [];
  for (let index = 0; index < samples; index += 1) durations.push(await registerToWebhookMs(partner));
  const p50 = percentile(durations, 0.5);
  const rows = [
    {
      what: 'p50',
      value: `${p50.toFixed(0)} ms`,
      note: `${samples} requests after ${webhookWarmUp} to warm up, each finding a key in the pool`,
    },
    { what: 'p95', value: `${percentile(durations, 0.95).toFixed(0)} ms` },
    {
      what: 'one RSA-2048 key',
      value: `${oneKey.medianMs.toFixed(0)} ms`,
      note: `median, nothing else running; mean ${oneKey.meanMs.toFixed(0)} ms`,
    },
    { what: 'p50 in keys', value: (p50 / oneKey.medianMs).toFixed(2), note: 'median to median; aim < 1' },
  ];
  return {
    rows,
    figures: [{ key: 'register-to-webhook', value: `${p50.toFixed(0)} ms`, ratio: oneKey.medianMs / p50 }],
  };
}

async function registerToWebhookMs(partner: TestPartner): Promise<number> {
  const startedAt = performance.now();
  const { sent, answer } = await partner.register();
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  const { referenceTransaction } = sent;
  await partner.receiver.next(({ body }) => body.referenceTransaction === referenceTransaction);
  return performance.now() - startedAt;
}
