import { availableParallelism } from 'node:os';
import type { StackInfo } from '@rubrica/stack';
import type { TestPartner } from '@rubrica/testkit';
import { assertPoolIsEmpty } from '../key-pool.ts';
import type { BenchPlan } from '../options.ts';
import { rawKeyRate } from '../raw-keys.ts';
import type { Section } from '../record/figures.ts';
import { mean } from '../statistics.ts';

const inFlight = 16;

/** Measures whole requests, from registration to webhook, with an empty pool. */
export async function measureCertificates(context: {
  info: StackInfo;
  partner: TestPartner;
  pooledKeys: number;
  plan: BenchPlan;
}): Promise<Section> {
  const { info, partner, pooledKeys, plan } = context;
  const rawBefore = await rawKeyRate(plan.rawKeyMs);
  await issue(partner, pooledKeys + inFlight, async () => undefined);
  let perSecond = 0;
  // The counted requests follow without a pause: an idle moment would let the pool fill again.
  await issue(partner, plan.certificates, async (seconds) => {
    perSecond = plan.certificates / seconds;
    await assertPoolIsEmpty(info);
  });
  const raw = mean([rawBefore, await rawKeyRate(plan.rawKeyMs)]);
  const rows = [
    {
      what: 'Rubrica',
      value: `${perSecond.toFixed(1)}/s`,
      note: `${plan.certificates} certificates, ${inFlight} in flight, pool of ${pooledKeys} drained first`,
    },
    {
      what: 'RSA-2048 keys alone',
      value: `${raw.toFixed(1)}/s`,
      note: `${availableParallelism()} cores; before ${rawBefore.toFixed(1)}/s`,
    },
    { what: 'ratio', value: (perSecond / raw).toFixed(2), note: 'aim ≥ 0.70' },
  ];
  return {
    rows,
    figures: [{ key: 'certificates', value: `${perSecond.toFixed(1)}/s`, ratio: perSecond / raw }],
  };
}

async function issue(
  partner: TestPartner,
  count: number,
  atTheEnd: (seconds: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  let started = 0;
  const work = async () => {
    while (started < count) {
      started += 1;
      const { sent, answer } = await partner.register();
      if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
      const { referenceTransaction } = sent;
      await partner.receiver.next(({ body }) => body.referenceTransaction === referenceTransaction, 120_000);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  await atTheEnd((performance.now() - startedAt) / 1_000);
}
