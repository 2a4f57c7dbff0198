import { callTRPCProcedure } from '@trpc/server';
import { benchRouter, order } from './workload.ts';
async function timed(name: string, f: () => void) { let best = 1e9; for (let r = 0; r < 60; r++) { const n = 6400; const t = process.hrtime.bigint(); for (let i = 0; i < n; i += 64) { for (let j = 0; j < 64; j++) f(); await new Promise((r) => setImmediate(r)); } const ns = Number(process.hrtime.bigint() - t) / n; if (ns < best) best = ns; } console.log(name.padEnd(34), best.toFixed(0), 'ns'); }
const ctx = { caller: 'x' }; const signal = new AbortController().signal;
class Opts { path; type; ctx; signal; getRawInput; batchIndex = 0; constructor(p: string, t: string, c: unknown, s: AbortSignal, g: unknown) { this.path = p; this.type = t; this.ctx = c; this.signal = s; this.getRawInput = g; } } (Opts.prototype as any).router = benchRouter;
for (let k = 0; k < 2; k++) {
await timed('7 keys', () => void callTRPCProcedure({ router: benchRouter, path: 'orders.confirm', type: 'query', ctx, signal, getRawInput: async () => order, batchIndex: 0 }));
await timed('class', () => void callTRPCProcedure(new Opts('orders.confirm', 'query', ctx, signal, async () => order) as any));
await timed('sync raw', () => void callTRPCProcedure({ router: benchRouter, path: 'orders.confirm', type: 'query', ctx, signal, getRawInput: (() => order) as any, batchIndex: 0 }));
}
