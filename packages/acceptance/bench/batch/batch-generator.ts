import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { prepareLine } from '../load/prepared-request.ts';
import { type BatchOrder, type BatchResult, batchOrderSchema } from './order.ts';

/** A process of its own, as the generator of single calls is. */
const order = batchOrderSchema.parse(JSON.parse(process.argv[2] ?? ''));
process.stdout.write(JSON.stringify(await runBatch(order)));

/** One batch that is sent as fast as it is taken, until the time is over; counts what is answered. */
async function runBatch(load: BatchOrder): Promise<BatchResult> {
  const line = prepareLine(await readFile(load.bodyFile, 'utf8'));
  const headers = { authorization: `Bearer ${load.token}`, 'content-type': 'application/x-ndjson' };
  const outgoing = request(load.url, { method: 'POST', headers, agent: false });
  const response = once(outgoing, 'response');
  const startedAt = performance.now();
  const sending = send(outgoing, { line, load, startedAt });
  const [incoming] = await response;
  const refusals: string[] = [];
  let accepted = 0;
  for await (const answer of createInterface({ input: incoming })) {
    if (answer.includes('"status":200,')) accepted += 1;
    else refusals.push(answer.slice(0, 300));
  }
  const elapsedMs = performance.now() - startedAt;
  await sending;
  return { accepted, refused: refusals.length, refusals: refusals.slice(0, 3), elapsedMs };
}

interface Sending {
  readonly line: ReturnType<typeof prepareLine>;
  readonly load: BatchOrder;
  readonly startedAt: number;
}

async function send(outgoing: ReturnType<typeof request>, { line, load, startedAt }: Sending): Promise<void> {
  for (let sent = 1; sent <= load.lines && performance.now() - startedAt < load.durationMs; sent += 1) {
    // What waits in memory to be sent must not change.
    if (!outgoing.write(line.of(`${load.referencePrefix}-${sent}`))) await once(outgoing, 'drain');
  }
  outgoing.end();
}
