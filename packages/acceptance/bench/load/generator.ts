import { readFile } from 'node:fs/promises';
import { type Answer, openConnection } from './connection.ts';
import { type LoadOrder, type LoadResult, loadOrderSchema } from './order.ts';
import { prepareQuery, prepareRequest } from './prepared-request.ts';

/** Runs as its own process, so that sending does not share an event loop with the reader of the figures. */
const order = loadOrderSchema.parse(JSON.parse(process.argv[2] ?? ''));
process.stdout.write(JSON.stringify(await runLoad(order)));

async function runLoad(load: LoadOrder): Promise<LoadResult> {
  const body = load.bodyFile === undefined ? undefined : await readFile(load.bodyFile, 'utf8');
  const latenciesMs: number[] = [];
  const refused: Answer[] = [];
  let accepted = 0;
  let sent = 0;
  const most = load.requests ?? Number.POSITIVE_INFINITY;
  const startedAt = performance.now();
  const deadline = startedAt + load.durationMs;
  const work = async () => {
    const connection = await openConnection(new URL(load.url));
    const call = { url: new URL(load.url), token: load.token };
    const request = body === undefined ? prepareQuery(call) : prepareRequest({ ...call, body });
    while (performance.now() < deadline && sent < most) {
      sent += 1;
      request.setReference(`${load.referencePrefix}-${sent}`);
      const sentAt = performance.now();
      const answer = await connection.exchange(request.bytes);
      latenciesMs.push(performance.now() - sentAt);
      if (answer.status === 200) accepted += 1;
      else if (refused.length < 3) refused.push(answer);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  return {
    accepted,
    refused: sent - accepted,
    refusals: refused.map(({ status, body: text }) => `${status} ${text.slice(0, 300)}`),
    elapsedMs: performance.now() - startedAt,
    latenciesMs,
  };
}
