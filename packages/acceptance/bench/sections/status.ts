import type { StackInfo } from '@rubrica/stack';
import { makeLinkedPartnerRequest, type TestPartner } from '@rubrica/testkit';
import { Client } from 'pg';
import { bareTables, dropBareTables } from '../bare/rows.ts';
import { startBare } from '../bare/start-bare.ts';
import { sendLoad } from '../load/order.ts';
import type { BenchPlan } from '../options.ts';
import type { Section } from '../record/figures.ts';
import { median } from '../statistics.ts';

const connections = 32;
const path = '/middleware/signature-request/status';

/** Measures queries of one request, alternating between the product and the bare process. */
export async function measureStatus(context: {
  info: StackInfo;
  partner: TestPartner;
  plan: BenchPlan;
}): Promise<Section> {
  const { info, partner, plan } = context;
  await using owned = new AsyncDisposableStack();
  const database = new Client({ connectionString: info.databaseUrl });
  await database.connect();
  owned.defer(() => database.end());
  await database.query(bareTables);
  await using bare = await startBare(info.databaseUrl);
  const token = await partner.rest.token();
  // The sandbox sends this number to review, so its record does not change meanwhile.
  const { sent } = await partner.register({ identificationNumber: '2450001504' });
  const body = makeLinkedPartnerRequest({ referenceTransaction: sent.referenceTransaction });
  await fetch(`${bare.url}/collector/linked-partner/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const round = async (baseUrl: string, durationMs: number) => {
    const url = `${baseUrl}${path}?${new URLSearchParams({ referenceTransaction: sent.referenceTransaction })}`;
    const result = await sendLoad({ url, token, connections, durationMs, referencePrefix: 'status' });
    if (result.refused > 0)
      throw new Error(`status: ${result.refused} refused, such as ${result.refusals[0]}`);
    return result.accepted / (result.elapsedMs / 1_000);
  };
  await round(bare.url, Math.round(plan.warmMs / 3));
  await round(info.baseUrl, Math.round(plan.warmMs / 3));
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let index = 0; index < plan.rounds; index += 1) {
    rates.bare.push(await round(bare.url, plan.roundMs));
    rates.ours.push(await round(info.baseUrl, plan.roundMs));
  }
  await database.query(dropBareTables);
  const [ours, theirs] = [median(rates.ours), median(rates.bare)];
  const each = (of: readonly number[]) => `rounds ${of.map((rate) => Math.round(rate)).join(' ')}`;
  const ratio = ours / theirs;
  return {
    rows: [
      { what: 'Rubrica', value: `${ours.toFixed(0)}/s`, note: each(rates.ours) },
      { what: 'bare Fastify, pg', value: `${theirs.toFixed(0)}/s`, note: each(rates.bare) },
      { what: 'ratio', value: ratio.toFixed(2) },
    ],
    figures: [{ key: 'status', value: `${ours.toFixed(0)}/s`, ratio }],
  };
}
