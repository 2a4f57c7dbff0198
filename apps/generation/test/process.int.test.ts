import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { uuidv7 } from '@rubrica/process/time';
import { describe, expect, it } from 'vitest';
import { listenToEvents } from './support/events.ts';
import { generation } from './support/generation.ts';
import { makeOrder } from './support/orders.ts';

describe('the process', () => {
  it('finishes the certificates under way on SIGTERM, leaves the rest to others, and ends with 0', async () => {
    await using env = await generation();
    await using log = listenToEvents(env.intakePeer);
    await using child = env.spawn({ KEY_POOL_SIZE: '0', WORKER_SLOTS: '4' });
    const jobs = Array.from({ length: 30 }, () => ({ requestId: uuidv7(), attempt: 1 }));
    for (const job of jobs) {
      env.intake.place(makeOrder(job));
      await env.intake.publishJob(job);
    }
    await expect.poll(() => log.events.length, { interval: 5 }).toBeGreaterThan(0);
    await child.stop();
    expect(await child.exited).toEqual([0, null]);
    const held = await env.database.query(
      `select 1 from generation.issuance where state = 'PENDING' and lease_until is not null`,
    );
    expect(held).toEqual([]);
    const before = log.events.length;
    expect(before).toBeLessThan(jobs.length);
    await using _ = env.spawn();
    await expect.poll(() => new Set(log.events.map(({ requestId }) => requestId)).size).toBe(30);
  });

  it('names every missing setting at once and ends with 78', async () => {
    const main = join(import.meta.dirname, '../src/main.ts');
    const child = spawn(process.execPath, [main], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    expect(await once(child, 'close')).toEqual([78, null]);
    const said = Buffer.concat(chunks).toString('utf8');
    for (const setting of ['NATS_URL', 'DATABASE_URL', 'KEYS_FILE', 'BASE_URL', 'CA_DIRECTORY']) {
      expect(said).toContain(`${setting} is required`);
    }
  });
});
