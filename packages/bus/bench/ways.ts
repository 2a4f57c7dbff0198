import { createTRPCClient } from '@trpc/client';
import { connect } from 'nats';
import { busLink, connectBus, createBusClient } from '../src/index.ts';
import { type BenchRouter, callHeaders, order, ourPrefix, plainSubject } from './workload.ts';

export type Call = () => Promise<{ total: number }>;

export const ours = 'our call';
export const together = 'our call, those of a turn in one message';
export const theirs = 'nc.request(), JSON both ways';

/** What is compared, by name. */
export async function openWays(servers: string): Promise<Record<string, Call>> {
  const bus = await connectBus({ servers, name: 'bench-client' });
  const options = { subjectPrefix: ourPrefix, timeoutMs: 10_000 };
  const client = createBusClient<BenchRouter>(bus, options);
  const identified = createBusClient<BenchRouter>(bus, { ...options, headers: () => callHeaders });
  const bundled = createBusClient<BenchRouter>(bus, { ...options, travelsTogether: () => true });
  const linked = createTRPCClient<BenchRouter>({ links: [busLink(bus, options)] });
  const plain = await connect({ servers });
  const untraced = await connect({ servers, noAsyncTraces: true });
  const request = (connection: typeof plain): Call => {
    return async () => {
      const answer = await connection.request(plainSubject, JSON.stringify(order), { timeout: 10_000 });
      return answer.json<{ total: number }>();
    };
  };
  return {
    [ours]: () => client.orders.confirm.query(order),
    [theirs]: request(plain),
    [together]: () => bundled.orders.confirm.query(order),
    'our call with trace and identity': () => identified.orders.confirm.query(order),
    'our call through links of tRPC': () => linked.orders.confirm.query(order),
    'nc.request(), noAsyncTraces': request(untraced),
  };
}
