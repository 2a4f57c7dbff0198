import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetrics, metric } from '@rubrica/process/metrics';
import { expect, it, onTestFinished } from 'vitest';
import { warnOfFileIsolation } from './file-isolation.ts';

async function warningsAt(isolated: 0 | 1): Promise<string[]> {
  const metrics = createMetrics({ service: 'intake' });
  metrics.gauge(metric('rubrica_file_checker_isolated')).set(isolated);
  const server = createServer(async (_, response) => response.end(await metrics.text()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const lines: string[] = [];
  const plain = (text: string) => text;
  const output = { line: (text = '') => void lines.push(text), bad: plain, dim: plain } as never;
  const { port } = server.address() as AddressInfo;
  await warnOfFileIsolation(output, { metrics: { intake: `http://127.0.0.1:${port}/metrics` } as never });
  return lines;
}

it('warns of files that are checked without isolation, and of nothing else', async () => {
  expect(await warningsAt(1)).toEqual([]);
  expect(await warningsAt(0)).toEqual([
    expect.stringContaining('Files are checked without network isolation'),
  ]);
});
