import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pollFor } from '@rubrica/testkit';
import { Agent } from 'undici';
import { buildSignatureHeaders } from '../src/signing/sign.ts';
import { webhookSecret } from '../test/support/notifier.ts';
import { type Surroundings, startSurroundings } from '../test/support/process.ts';

const usage = `Usage: npm run bench -w apps/notifier [-- options]

Prints, from one run, with the receiver and the service each in a process of its own:
  deliveries per second   a burst that is due in the ledger, as after a receiver's outage, until the last attempt is
                          recorded, and one of new events, from the first job on; against bare undici POSTs of the
                          same body with the same kind of signature to the same receiver
  event to receiver       milliseconds from the job to the call, one in flight

Options:
  --quick   fewer of each, for a glance
  --help    this text
`;

const aim = { ratio: 0.25, p50Ms: 15 };
/** As many at once as the service has places per destination. */
const inFlight = 16;

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) process.stdout.write(usage);
else await run(values.quick ? { burst: 500, single: 50 } : { burst: 2_000, single: 200 });

async function run({ burst, single }: { burst: number; single: number }): Promise<void> {
  await using surroundings = await startSurroundings();
  await using receiver = await startReceiverProcess();
  // Without crash points: each would look for its file at every delivery.
  await using _service = surroundings.start({ CRASHPOINT_DIR: '' });
  // The first ones meet a service that is still starting, and code that the compiler has not seen.
  await deliver(surroundings, receiver, burst);
  await bare(receiver, burst);
  const before = await bare(receiver, burst);
  const { ids, perSecond: fresh } = await deliver(surroundings, receiver, burst);
  const due = await deliverAgain(surroundings, receiver, ids);
  const after = await bare(receiver, burst);
  const floor = (before + after) / 2;
  const p50 = await eventToReceiver(surroundings, receiver, single);
  const met = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  process.stdout.write(
    [
      `burst of ${burst}, every attempt in the ledger`,
      `  bare POSTs      ${before.toFixed(0)}/s before, ${after.toFixed(0)}/s after, ${inFlight} in flight`,
      `  due deliveries  ${due.toFixed(0)}/s, ratio ${(due / floor).toFixed(2)} (aim ${aim.ratio}: ${met(due / floor >= aim.ratio)})`,
      `  new events      ${fresh.toFixed(0)}/s, ratio ${(fresh / floor).toFixed(2)}: also asked of intake, sealed and stored`,
      `event to receiver, one in flight, ${single} of them`,
      `  p50             ${p50.toFixed(1)} ms (aim ${aim.p50Ms}: ${met(p50 <= aim.p50Ms)})`,
      '',
    ].join('\n'),
  );
}

type ReceiverProcess = AsyncDisposable & {
  url: string;
  /** When the call with this id came in; epoch milliseconds. */
  seen: Map<string, number>;
};

async function startReceiverProcess(): Promise<ReceiverProcess> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'receiver.ts'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const seen = new Map<string, number>();
  child.on('message', ({ id, at }: { id: string; at: number }) => seen.set(id, at));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    seen,
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** From the first job to the last attempt recorded. */
async function deliver(
  surroundings: Surroundings,
  receiver: ReceiverProcess,
  count: number,
): Promise<{ ids: string[]; perSecond: number }> {
  const ids = await Promise.all(
    Array.from({ length: count }, () =>
      surroundings.addEvent({ url: receiver.url, type: 'request.error', message: 'x' }),
    ),
  );
  const startedAt = performance.now();
  await Promise.all(ids.map((id) => surroundings.publishEvent(id)));
  await pollFor(() => ids.every((id) => receiver.seen.has(id)), {
    deadlineMs: 120_000,
    everyMs: 5,
    what: `${count} calls`,
  });
  await allRecorded(surroundings, ids, 1);
  return { ids, perSecond: count / ((performance.now() - startedAt) / 1_000) };
}

/** Per second, from the first call to the last attempt recorded: when the next look at the ledger comes is chance. */
async function deliverAgain(
  surroundings: Surroundings,
  receiver: ReceiverProcess,
  ids: string[],
): Promise<number> {
  receiver.seen.clear();
  await surroundings.database.execute(
    `update delivery set state = 'PENDING', due_at = now(), round_attempts = 0, fence = fence + 1
     where id = any ($1::uuid[])`,
    [ids],
  );
  await pollFor(() => receiver.seen.size > 0, { deadlineMs: 10_000, everyMs: 1, what: 'the first call' });
  const startedAt = performance.now();
  await allRecorded(surroundings, ids, 2);
  return ids.length / ((performance.now() - startedAt) / 1_000);
}

async function allRecorded(surroundings: Surroundings, ids: string[], attempts: number): Promise<void> {
  const recorded = `select (select count(*) from delivery where state = 'DELIVERED' and id = any ($1::uuid[]))::int as done,
    (select count(*) from attempt where delivery_id = any ($1::uuid[]))::int as attempts`;
  await pollFor(
    async () => {
      const [row] = await surroundings.database.execute<{ done: number; attempts: number }>(recorded, [ids]);
      return row?.done === ids.length && row.attempts === ids.length * attempts;
    },
    { deadlineMs: 60_000, everyMs: 25, what: `${ids.length} deliveries in the ledger` },
  );
}

/** Per second. */
async function bare({ url }: ReceiverProcess, count: number): Promise<number> {
  const agent = new Agent({ connections: inFlight, pipelining: 1 });
  const { origin, pathname } = new URL(url);
  const body = Buffer.from(
    JSON.stringify({
      linkedPartnerRequestId: '019aa1b2-0000-7000-8000-000000000001',
      referenceTransaction: 'TX-1',
      message: 'x',
    }),
  );
  let left = count;
  const post = async () => {
    for (let number = left--; number > 0; number = left--) {
      const headers = {
        'content-type': 'application/json',
        ...buildSignatureHeaders({ id: `bare-${number}`, at: new Date(), body }, [webhookSecret]),
      };
      const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, post));
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  await agent.close();
  return perSecond;
}

/** The median, in milliseconds; both processes read the same clock of the machine. */
async function eventToReceiver(
  surroundings: Surroundings,
  { url, seen }: ReceiverProcess,
  count: number,
): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    const id = await surroundings.addEvent({ url, type: 'request.error', message: 'x' });
    const startedAt = performance.timeOrigin + performance.now();
    await surroundings.publishEvent(id);
    await pollFor(() => seen.has(id), { everyMs: 1, what: 'the call' });
    taken.push((seen.get(id) ?? Number.NaN) - startedAt);
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
}
