import { initTRPC } from '@trpc/server';
import { z } from 'zod';

/** One small piece of work, the same for every way of calling. */
export interface Order {
  id: string;
  quantity: number;
  tags: string[];
}

export function confirm(order: Order) {
  return { id: order.id, accepted: order.quantity > 0, total: order.quantity * 100, tags: order.tags };
}

const t = initTRPC.context<{ caller: string }>().create();

const orderSchema = z.object({
  id: z.string().max(64),
  quantity: z.int().min(0),
  tags: z.array(z.string().max(32)).max(16),
});

export const benchRouter = t.router({
  orders: t.router({ confirm: t.procedure.input(orderSchema).query(({ input }) => confirm(input)) }),
});
export type BenchRouter = typeof benchRouter;

export const order: Order = {
  id: '0198f2b0-5d3c-7bbb-8ccc-123456789abc',
  quantity: 3,
  tags: ['new', 'express', 'gift'],
};

/** What a service sends with each call: trace, request id, and a signed token the size of a real one. */
export const callHeaders = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'x-request-id': '0198f2b0-5d3c-7bbb-8ccc-abcdef123456',
  authorization: 'x'.repeat(300),
};

export const ourPrefix = 'rpc.v1.bench';
export const plainSubject = 'plain.orders.confirm';
