import { argv } from 'node:process';
import { linkedPartnerBody } from '../test/support/bodies.ts';
import { evidenceBody } from './bodies.ts';

/** p99 of small calls, milliseconds, without and beside ten bodies of 60 MB. */
export interface Latencies {
  readonly quiet: number;
  readonly loaded: number;
  /** Statuses of the large bodies. */
  readonly statuses: readonly number[];
}

const bodies = 10;
const quietMs = 3_000;
const { url, token } = JSON.parse(argv[2] as string) as { url: string; token: string };
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const status = `${url}/middleware/signature-request/status?referenceTransaction=TX-1`;

async function probe(until: () => boolean): Promise<number> {
  const times: number[] = [];
  while (!until()) {
    const start = performance.now();
    await (await fetch(status, { headers })).arrayBuffer();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
}

const { evidences: _, ...fields } = linkedPartnerBody();
const body = evidenceBody('integers', fields);
await probe(
  (
    (end) => () =>
      performance.now() > end
  )(performance.now() + 1_000),
);
const quiet = await probe(
  (
    (end) => () =>
      performance.now() > end
  )(performance.now() + quietMs),
);
process.send?.('loaded');
let left = bodies;
const sending = Array.from({ length: bodies }, async () => {
  const answer = await fetch(`${url}/collector/linked-partner/request`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  await answer.arrayBuffer();
  left -= 1;
  return answer.status;
});
const loaded = await probe(() => left === 0);
process.send?.({ quiet, loaded, statuses: await Promise.all(sending) } satisfies Latencies);
process.disconnect?.();
