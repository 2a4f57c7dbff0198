import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyAlgorithm } from '@rubrica/pki';
import { uuidv7 } from '@rubrica/service';
import { makeHolderKey } from '../src/key-pool/make-key.ts';
import { type EventLog, listenToEvents } from '../test/support/events.ts';
import { type Generation, generation } from '../test/support/generation.ts';
import { makeOrder } from '../test/support/orders.ts';

/**
 * Certificates per second through the whole service as a process (PostgreSQL, nats-server, an intake that only
 * answers), against bare key generation on the same cores. Bare runs stand before and after, as the machine may
 * have other work. Usage: node bench/throughput.ts [certificates] [in flight] [algorithm]
 */
const [, , countText = '300', inFlightText = '16', algorithm = 'RSA_2048'] = process.argv;
const count = Number(countText);
const inFlight = Number(inFlightText);

async function bareKeys(): Promise<number> {
  let left = Math.max(60, Math.round(count / 3));
  const total = left;
  const startedAt = performance.now();
  const worker = async () => {
    while (left-- > 0) await makeHolderKey(algorithm as KeyAlgorithm);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return total / ((performance.now() - startedAt) / 1000);
}

async function certificates(env: Generation, log: EventLog): Promise<number> {
  const startedAt = performance.now();
  const target = log.events.length + count;
  let ordered = 0;
  while (log.events.length < target) {
    while (ordered < count && ordered - (log.events.length - target + count) < inFlight) {
      const job = { requestId: uuidv7(), attempt: 1 };
      env.intake.place(makeOrder(job));
      void env.intake.publishJob(job);
      ordered += 1;
    }
    await delay(1);
  }
  return count / ((performance.now() - startedAt) / 1000);
}

import { readdirSync, readFileSync } from 'node:fs';
function tree() {
  const st = new Map<number, { ppid: number; cpu: number; cmd: string }>();
  for (const p of readdirSync('/proc')) { if (!/^\d+$/.test(p)) continue; try { const t = readFileSync(`/proc/${p}/stat`, 'utf8'); const cmd = t.slice(t.indexOf('(') + 1, t.lastIndexOf(')')); const f = t.slice(t.lastIndexOf(')') + 2).split(' '); st.set(Number(p), { ppid: Number(f[1]), cpu: (Number(f[11]) + Number(f[12])) * 10, cmd }); } catch {} }
  const out: Record<string, number> = {};
  for (const [pid, v] of st) { let x: number | undefined = pid; while (x && x !== process.pid) x = st.get(x)?.ppid; if (x === process.pid) { const k = pid === process.pid ? 'bench' : v.cmd; out[k] = (out[k] ?? 0) + v.cpu; } }
  return out;
}
const rate = (value: number) => value.toFixed(1).padStart(8);
const c0 = process.cpuUsage(); const before = await bareKeys(); const c1 = process.cpuUsage(c0); console.log('bare cpu ms/key', (c1.user + c1.system) / 1000 / Math.max(60, Math.round(count / 3)));
await using env = await generation();
const log = listenToEvents(env.intakePeer);
const service = env.spawn({ KEY_POOL_SIZE: '0', KEY_ALGORITHM: algorithm });
const warm = { requestId: uuidv7(), attempt: 1 };
env.intake.place(makeOrder(warm));
await env.intake.publishJob(warm);
while (log.events.length === 0) await delay(10);
const t0 = tree(); const made = await certificates(env, log); const t1 = tree(); for (const k of Object.keys(t1)) console.log(k, ((t1[k] ?? 0) - (t0[k] ?? 0)) / count, 'ms/cert');
await service.stop();
await log.stop();
await env.intake.stop();
const after = await bareKeys();
const bare = (before + after) / 2;
process.stdout.write(`bare ${algorithm} keys, before  ${rate(before)} /s\n`);
process.stdout.write(`certificates, ${inFlight} in flight  ${rate(made)} /s (${count}, pool empty)\n`);
process.stdout.write(`bare ${algorithm} keys, after   ${rate(after)} /s\n`);
process.stdout.write(`ratio                      ${rate(made / bare)}\n`);
