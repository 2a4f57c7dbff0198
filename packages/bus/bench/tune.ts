import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testNats } from '@rubrica/testkit';
import { connect } from 'nats';
import { connectBus, createBusClient } from '../src/index.ts';
import * as w from './workload.ts';
const nats = await testNats();
const variants: string[] = process.argv.slice(2);
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10; };
const ways: Record<string, [() => Promise<unknown>, number]> = {};
const bus = await connectBus({ servers: nats.url, name: 'c' });
const kids = [];
for (const v of variants) {
  const k = fork(join(import.meta.dirname, 'server-tune.ts'), [nats.url, v], { env: { ...process.env, TURN: v } }); await once(k, 'message'); kids.push(k);
  const client = createBusClient<w.BenchRouter>(bus, { subjectPrefix: `rpc.v1.t${v}`, headers: () => w.callHeaders });
  ways[`full ${v}`] = [() => client.orders.confirmChecked.query(w.order), k.pid!];
  const bare: any = createBusClient<w.BenchRouter>(bus, { subjectPrefix: `rpc.v1.t${v}` });
  ways[`bare ${v}`] = [() => bare.orders.confirm.query(w.order), k.pid!];
}
const plain = await connect({ servers: nats.url }); const un = await connect({ servers: nats.url, noAsyncTraces: true });
const req = (c: typeof plain) => async () => (await c.request(w.plainSubject, JSON.stringify(w.order), { timeout: 9000 })).json();
const s = fork(join(import.meta.dirname, 'server.ts'), [nats.url]); await once(s, 'message'); kids.push(s);
ways.plain = [req(plain), s.pid!]; ways.untraced = [req(un), s.pid!];
const rates: Record<string, number[]> = {}; const cpus: Record<string, number[][]> = {};
for (let r = 0; r < 16; r++) for (const [name, [call, pid]] of Object.entries(ways)) {
  const pids = [process.pid, pid, nats.pid()]; const b = pids.map(cpu); const t0 = performance.now(); let n = 0;
  await Promise.all(Array.from({ length: 64 }, async () => { while (performance.now() - t0 < 400) { await call(); n++; } }));
  const ms = performance.now() - t0; if (r < 3) continue;
  (rates[name] ??= []).push(n / ms * 1000); (cpus[name] ??= []).push(pids.map((p, i) => (cpu(p) - b[i]!) * 1000 / n));
}
const med = (v: number[]) => v.toSorted((a, b) => a - b)[v.length >> 1]!;
for (const name of Object.keys(ways)) console.log(name.padEnd(10), Math.round(med(rates[name]!)), (med(rates[name]!) / med(rates.plain!)).toFixed(2), 'best', Math.round(Math.max(...rates[name]!)), 'cpu us', [0, 1, 2].map((i) => med(cpus[name]!.map((c) => c[i]!)).toFixed(0)).join('+'));
for (const k of kids) k.disconnect(); await nats[Symbol.asyncDispose](); process.exit();
